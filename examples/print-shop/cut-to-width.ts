/** Cuts text that no space can break: long words, and lines of code. It sets what it cuts nowhere. */
import type { FontName, Span } from "./document-blocks.ts";
import { splitGraphemes, type TypeCase } from "./type-case.ts";

export type Fragment = {
  text: string;
  font: FontName;
  size: number;
  width: number;
  x: number;
  span: Span;
  missing: boolean;
};

/** No line holds this many letters: longer words are cut without first being measured whole. */
export const LONGEST_MEASURED = 400;
/** A line of code ends at a space if that leaves this share of it filled. */
const SHORTEST_FILLED = 0.6;

/** Takes the last, cut off word from a full line, unless that would leave the line too short. */
function takeLastWord(piece: Fragment, typeCase: TypeCase): Fragment | null {
  const end = piece.text.lastIndexOf(" ") + 1;
  if (end < piece.text.length * SHORTEST_FILLED || end === piece.text.length) return null;
  const [kept, taken] = [piece.text.slice(0, end), piece.text.slice(end)];
  piece.text = kept;
  piece.width = typeCase.width(kept, piece.font, piece.size);
  return { ...piece, text: taken, width: typeCase.width(taken, piece.font, piece.size) };
}

export type Cut = { maxWidth: number; typeCase: TypeCase; preferSpaces: boolean };

/** Cuts fragments that are wider than a line, between graphemes; used for long words and for lines of code. */
export function cutToWidth(fragments: Fragment[], { maxWidth, typeCase, preferSpaces }: Cut): Fragment[][] {
  const letters = fragments.reduce((sum, fragment) => sum + fragment.text.length, 0);
  if (letters <= LONGEST_MEASURED) {
    const whole = fragments.map((part) => ({ ...part, width: typeCase.width(part.text, part.font, part.size) }));
    if (whole.reduce((sum, part) => sum + part.width, 0) <= maxWidth) return whole.length === 0 ? [] : [whole];
  }
  const lines: Fragment[][] = [];
  let line: Fragment[] = [];
  let used = 0;
  for (const fragment of fragments) {
    const parts = fragment.missing ? [fragment.text] : splitGraphemes(fragment.text);
    let piece: Fragment | null = null;
    for (const text of parts) {
      const width = typeCase.width(text, fragment.font, fragment.size);
      if (used + width > maxWidth && used > 0) {
        const taken: Fragment | null = preferSpaces && piece && text !== " " ? takeLastWord(piece, typeCase) : null;
        lines.push(line);
        line = taken ? [taken] : [];
        used = taken?.width ?? 0;
        piece = taken;
      }
      if (piece === null) {
        piece = { ...fragment, text: "", width: 0 };
        line.push(piece);
      }
      piece.text += text;
      piece.width += width;
      used += width;
    }
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
