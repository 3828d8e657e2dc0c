/** Splits a TypeScript file into comments, strings and the rest, well enough for rules; it is not a parser. */

/** Strings and templates are matched first, so that `//` inside of one does not start a comment. */
const tokens = /(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const isString = (token: string) => /^["'`]/.test(token);

/** The text without comments and plain strings; templates stay, since they hold code. */
export function codeOf(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith("`") ? token : isString(token) ? '""' : ""));
}

/** Every string and template literal, with its quotes. */
export function stringsOf(text: string): string[] {
  return [...text.matchAll(tokens)].map(([token]) => token).filter(isString);
}

/** The words of the comment that a file opens with, behind a shebang; null when it opens with anything else. */
export function openingComment(text: string): string | null {
  const body = text.replace(/^#![^\n]*\n/, "");
  const match = /^(?:\/\*\*[\s\S]*?\*\/|(?:\/\/[^\n]*\n?)+)/.exec(body);
  if (match === null) return null;
  const lines = match[0].split("\n").map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*|\/\/+)?|\*\/$/g, "").trim());
  return lines
    .filter((line) => !/^(oxlint-|eslint-|biome-|@ts-|<reference)/.test(line))
    .join(" ")
    .trim();
}
