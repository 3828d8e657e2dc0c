/** The rules of the house as functions from a file to its violations. It reads nothing: tidy.test.ts feeds it. */
import { codeOf, openingComment, stringsOf } from "./read-code.ts";

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One sentence for each violation; none when the file keeps the rule. */
export type Rule = (file: SourceFile) => string[];

const lineLimit = 200;
const clockFile = "src/runtime/clock.ts";
const migrationFile = "src/store/migrate.ts";
const emptyWords = new Set(["util", "utils", "helper", "helpers", "manager", "managers", "misc", "common"]);

const isOwnCode = (path: string) => /^(src|test|examples)\//.test(path);
const isScript = (path: string) => /\.(ts|tsx|mts|cts)$/.test(path);

function forbid(pattern: RegExp, text: string, sentence: string): string[] {
  return [...text.matchAll(pattern)].map((match) => `${sentence}: ${match[0].trim().slice(0, 60)}`);
}

const staysShort: Rule = ({ path, text }) => {
  if (!isOwnCode(path)) return [];
  const lines = text.replace(/\n$/, "").split("\n").length;
  return lines <= lineLimit ? [] : [`has ${lines} lines, more than ${lineLimit}`];
};

const opensWithSentence: Rule = ({ path, text }) => {
  if (!isOwnCode(path) || !isScript(path)) return [];
  const comment = openingComment(text);
  if (comment === null) return ["does not open with a comment"];
  return comment.length >= 20 && /[.!?](\s|$)/.test(comment) ? [] : ["does not open with a sentence on what it is"];
};

const hasMeaningfulName: Rule = ({ path }) => {
  if (!isOwnCode(path)) return [];
  const words = path.toLowerCase().split(/[/.\-_]/);
  return words.filter((word) => emptyWords.has(word)).map((word) => `"${word}" in a name says nothing`);
};

const asksTheClock: Rule = ({ path, text }) => {
  if (!isOwnCode(path) || path === clockFile || path.startsWith("test/bench/")) return [];
  return forbid(
    /\bDate\.now\b|\bnew Date(\(\s*\)|(?![\w(]))|\bMath\.random\b/g,
    codeOf(text),
    `time and chance come from ${clockFile}`,
  );
};

const opensNoTransaction: Rule = ({ path, text }) => {
  if (!path.startsWith("src/") || path === migrationFile) return [];
  return forbid(/\.(begin|transaction)\(/g, codeOf(text), "one statement per change, no client transaction");
};

/** Statements as a literal opens with them, or a line or a parenthesis in it: words in mid-sentence are prose. */
const opening = String.raw`(?:^["'\`]\s*|[\n;(]\s*)`;
const column = String.raw`[\w."*]+(?:\([^)]*\))?(?:::\w+)?(?:\s+as\s+[\w"]+)?`;
const sqlStatement = new RegExp(
  `${opening}(?:${[
    String.raw`select\s+(?:distinct\s+)?${column}(?:\s*,\s*${column})*\s+from\s`,
    String.raw`select\s+(?:\d+|pg_\w+\()`,
    String.raw`insert\s+into\s`,
    String.raw`update\s+[\w."]+\s+set\s`,
    String.raw`delete\s+from\s`,
    String.raw`(?:create|alter|drop)\s+(?:unique\s+)?(?:table|index|function|trigger|type|schema|database|role)\s`,
  ].join("|")})`,
  "gi",
);

const keepsSqlInStore: Rule = ({ path, text }) => {
  if (!path.startsWith("src/") || path.startsWith("src/store/")) return [];
  return [
    ...forbid(/\bsql(<[^`\n]*>)?`/g, codeOf(text), "SQL stands only in src/store"),
    ...stringsOf(text).flatMap((literal) => forbid(sqlStatement, literal, "SQL stands only in src/store")),
  ];
};

const runsEveryTest: Rule = ({ path, text }) => {
  if (!path.startsWith("test/")) return [];
  return forbid(
    /\.(skip|only|todo|skipIf|runIf)\(|\b(xit|xtest|xdescribe|fit|fdescribe)\(/g,
    codeOf(text),
    "no test is left out",
  );
};

const readsEnvironmentInConfig: Rule = ({ path, text }) => {
  if (!path.startsWith("src/") || /^src\/(server\/config|cli\/)/.test(path)) return [];
  return forbid(/\bprocess\.env\b/g, codeOf(text), "the environment is read in src/server/config and src/cli");
};

/** The names are put together here so that this file itself keeps the rule. */
const homeFolders = ["home", "root", "work", "Users"].join("|");
const machinePath = new RegExp(String.raw`(?<![\w.~)}*-])/(?:${homeFolders})/[\w.-]*`, "g");

const namesNoMachine: Rule = ({ text }) => forbid(machinePath, text, "a path that exists on one machine");

const versionGroups = ["dependencies", "devDependencies", "optionalDependencies", "overrides"] as const;
type Manifest = { readonly [group in (typeof versionGroups)[number]]?: Record<string, string> };

const pinsVersions: Rule = ({ path, text }) => {
  if (path !== "package.json") return [];
  const manifest = JSON.parse(text) as Manifest;
  return versionGroups.flatMap((group) =>
    versionsIn(manifest, group)
      .filter(([, version]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${group}: ${name} is not pinned to one version: ${version}`),
  );
};

function versionsIn(manifest: Manifest, group: keyof Manifest): [string, string][] {
  return Object.entries(manifest[group] ?? {});
}

/** Each rule under the name by which a failure reports it. */
export const rules = {
  staysShort,
  opensWithSentence,
  hasMeaningfulName,
  asksTheClock,
  opensNoTransaction,
  keepsSqlInStore,
  runsEveryTest,
  readsEnvironmentInConfig,
  namesNoMachine,
  pinsVersions,
} satisfies Record<string, Rule>;
