/** Walks documents as a caller: sends each with what is ann's and with what never was, and reads the answers byte for byte. It judges nothing. */
import { isolationTokens } from "./isolation-config.ts";
import type { WalkDocument } from "./isolation-documents.ts";
import type { Pair } from "./isolation-names.ts";
import { secretsIn } from "./isolation-secrets.ts";
import { type Choice, choicesOf, type Names, variablesOf } from "./isolation-values.ts";

export type Walker = keyof typeof isolationTokens | null;
type Variables = Readonly<Record<string, unknown>>;

/** A caller's question with ann's names, and all that came back: status, headers and body. */
export interface Step {
  readonly title: string;
  readonly document: WalkDocument;
  readonly variables: Variables;
  readonly answer: string;
  /** The answer, and that to the same question with names that never were, made alike; null where it names nothing of ann's. */
  readonly twins: readonly [string, string] | null;
}

async function post(url: string, caller: Walker, query: string, variables: Variables): Promise<string> {
  const authorization = caller === null ? {} : { authorization: `Bearer ${isolationTokens[caller]}` };
  const headers = { ...authorization, "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const said = [...response.headers].filter(([name]) => name !== "date" && name !== "content-length");
  return `${response.status} ${JSON.stringify(said)}\n${await response.text()}`;
}

/** Each text that the caller has sent stands for itself: what it is called remains, of ids that they are some. */
function withoutNames(text: string, { cursors, ...others }: Names): string {
  const sent = [...Object.entries(others), ...Object.values(cursors).map((cursor) => ["cursor", cursor] as const)];
  return sent.reduce((rest, [name, value]) => rest.replaceAll(value, `‹${/id$/i.test(name) ? "id" : name}›`), text);
}

const cursors = /("(?:cursor|startCursor|endCursor)":)"([\w-]+)"/g;
const ids = /\b(?:job|att)_[0-7][0-9a-z]{25}\b/g;
const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** What two jobs made one after the other have different: their ids, by the order in which they come, and instants. */
function comparable(text: string, names: Names): string {
  const seen: string[] = [];
  const numbered = (id: string) => {
    if (!seen.includes(id)) seen.push(id);
    return `${id.slice(0, 3)}#${seen.indexOf(id)}`;
  };
  return withoutNames(text, names)
    .replace(cursors, (_, name: string, cursor: string) => `${name}"${Buffer.from(cursor, "base64url").toString()}"`)
    .replace(ids, numbered)
    .replace(instants, "‹instant›");
}

/** What a step has told of ann beyond what it was told: not the names that were sent, nor keys that the caller has used since. */
export function leaksOf(
  { answer, variables }: Step,
  annsIds: readonly string[],
  ownTexts: readonly string[],
): string[] {
  const sent = [...textsIn(variables), ...ownTexts];
  const rest = sent.filter((text) => text.length > 8).reduce((text, own) => text.replaceAll(own, "‹sent›"), answer);
  return secretsIn(rest, annsIds);
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function titleOf({ field }: WalkDocument, choice: Choice, name: string): string {
  return `${field} with ${choice.given === "one" ? choice.path : choice.given}, about ${name}`;
}

/**
 * By default every choice of arguments; `given` keeps to some. What is required is given of each of ann's jobs, every other
 * choice of one of them, another one each time. What never was is asked for once for each choice: one is like the other.
 */
export async function* walk(
  url: string,
  caller: Walker,
  documents: readonly WalkDocument[],
  pairs: readonly Pair[],
  given: readonly Choice["given"][] = ["required", "all", "one"],
): AsyncGenerator<Step> {
  let turn = 0;
  const choices = documents.flatMap((document) => choicesOf(document).map((choice) => ({ document, choice })));
  for (const { document, choice } of choices.filter((one) => given.includes(one.choice.given))) {
    const asked = new Set<string>();
    const some = choice.given === "required" ? pairs : [pairs[(turn += 1) % pairs.length]!];
    const twins = new Map<string, string>();
    for (const { name, foreign, invented } of some) {
      const variables = variablesOf(document, foreign, choice);
      const others = variablesOf(document, invented, choice);
      const key = JSON.stringify(variables);
      if (asked.has(key)) continue;
      asked.add(key);
      const answer = await post(url, caller, document.text, variables);
      const isAboutAnn = JSON.stringify(others) !== key;
      // Ids of one kind are alike, those of two kinds need not be.
      const kind = invented.id.split("_")[0] ?? "";
      if (isAboutAnn && !twins.has(kind))
        twins.set(kind, comparable(await post(url, caller, document.text, others), invented));
      const twin = isAboutAnn ? twins.get(kind) : undefined;
      const both = twin === undefined ? null : ([comparable(answer, foreign), twin] as const);
      yield { title: titleOf(document, choice, name), document, variables, answer, twins: both };
    }
  }
}
