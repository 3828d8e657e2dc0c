/** The rule that the fuzz holds the server to, for one answer at a time: what a caller may be told, whatever was asked. */
import type { Outcome } from "./send-call.ts";

export interface Judged {
  /** None where the answer keeps the rule. */
  readonly faults: readonly string[];
  /** Fields of the operation that were answered with something. */
  readonly answered: readonly string[];
  readonly codes: readonly string[];
}

/** Codes of faults that are the server's own. */
const ownFaults: ReadonlySet<string> = new Set(["INTERNAL_SERVER_ERROR", "DATABASE_UNAVAILABLE", "SERVER_STARTING"]);

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: { readonly code?: unknown } }[];
}

/** An answer as it is, or the first of a stream's or of a multipart response's. */
function answerIn(text: string): Answer | null {
  // Lines end with \n alone: U+2028 may stand in a text, and is a line's end to `.` and `$`.
  const json = /^data: ([^\n]+)/m.exec(text)?.[1] ?? /^\{[^\n]*\}(?=\r?\n|$)/m.exec(text)?.[0] ?? text;
  return JSON.parse(json) as Answer | null;
}

function codeFaults({ errors = [] }: Answer): string[] {
  return errors.flatMap(({ extensions, message }) => {
    const code = extensions?.code;
    if (typeof code !== "string") return [`an error without a code: ${String(message)}`];
    return ownFaults.has(code) ? [`an internal error, ${code}: ${String(message)}`] : [];
  });
}

export function judgeOutcome({ status, text }: Pick<Outcome, "status" | "text">, isSubscription: boolean): Judged {
  const nothing = { answered: [], codes: [] };
  // 4400 and its like say what the client did wrong; 1006, 1011 and 4500 say that the server broke.
  if (status !== null && ((status >= 500 && status < 4_000) || status === 4_500))
    return { ...nothing, faults: [`status ${status}`] };
  if (status !== null && status >= 4_000) return { ...nothing, faults: [] };
  if (isSubscription && !/^data: .|^\{/m.test(text)) return { ...nothing, faults: [] };
  // 406: nothing that the server has is acceptable to the client; it has no body.
  if (status === 406 && text === "") return { ...nothing, faults: [] };
  let answer: Answer | null;
  try {
    answer = answerIn(text);
  } catch {
    return { ...nothing, faults: ["an answer that is no JSON"] };
  }
  if (answer === null || (answer.data === undefined && answer.errors === undefined))
    return { ...nothing, faults: ["an answer with neither data nor errors"] };
  return {
    faults: codeFaults(answer),
    answered: Object.entries(answer.data ?? {}).flatMap(([name, value]) => (value === null ? [] : [name])),
    codes: (answer.errors ?? []).map(({ extensions }) => String(extensions?.code)),
  };
}
