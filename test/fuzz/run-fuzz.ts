/** Sends so many arbitrary calls to a server of its own, and stops at the first that breaks the rule, as small as it can be made. */
import fc from "fast-check";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";
import { createLog } from "../../src/server/log.ts";
import { startApiServer } from "../support/api-server.ts";
import { checkInvariants } from "../support/check-invariants.ts";
import { type Call, callsOf, messageDamage, writtenCall } from "./calls.ts";
import { fuzzConfig } from "./fuzz-config.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import { get, type Outcome, post, type Sent, Sockets } from "./send-call.ts";
import { leaveFormerJobs, openWorld } from "./world.ts";
import type { Operation } from "./write-document.ts";

/** After so many calls most of what they could act on has come to its end. */
const renewAfter = 150;
const depth = 4;

export interface FuzzOptions {
  /** An empty database, or a migrated one. */
  readonly databaseUrl: string;
  readonly runs: number;
  readonly seed: number;
  /** Where to begin, as a failure has named it. */
  readonly path?: string;
  /** Called after each call. */
  readonly onCall?: (count: number) => void;
}

/** Figures of a run, by kind of operation, by caller, by error code, and by field of a root type. */
export interface Tally {
  readonly callers: Record<string, number>;
  readonly asked: Record<string, number>;
  readonly answeredData: Record<string, number>;
  readonly codes: Record<string, number>;
  readonly fields: Record<string, number>;
}

export interface FuzzReport {
  readonly tally: Tally;
  /** Null where all was well. */
  readonly failure: string | null;
}

function count(of: Record<string, number>, name: string): void {
  of[name] = (of[name] ?? 0) + 1;
}

function note(tally: Tally, operation: Operation, by: Outcome["by"], judged: ReturnType<typeof judgeOutcome>): void {
  const kind = `${operation.kind} by ${by}`;
  count(tally.asked, kind);
  if (judged.answered.length > 0) count(tally.answeredData, kind);
  for (const code of judged.codes) count(tally.codes, code);
  for (const chosen of operation.selections) {
    const name = chosen.kind === "field" ? chosen.field?.name : undefined;
    // An alias may hide it, which a count of what was ever answered can bear.
    if (name !== undefined && judged.answered.includes(name)) count(tally.fields, name);
  }
}

function tellCall(sent: Sent, call: Call, outcome: Outcome | null, faults: readonly string[]): string {
  const { caller, query, variables, operationName, accept, headers } = sent;
  return [
    ...faults,
    `${call.transport} as ${caller ?? "nobody"}, accept ${accept}, headers ${JSON.stringify(headers)}, operationName ${JSON.stringify(operationName)}`,
    `document:\n${query}`,
    `variables:\n${variables.slice(0, 4_000)}`,
    `answer: ${outcome === null ? "none" : `${outcome.status ?? ""} ${outcome.text.slice(0, 4_000)}`}`,
  ].join("\n");
}

export async function runFuzz({ databaseUrl, runs, seed, path, onCall }: FuzzOptions): Promise<FuzzReport> {
  await leaveFormerJobs(databaseUrl);
  const logged: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => logged.push(line) });
  const server = await startApiServer({ config: fuzzConfig, databaseUrl, log });
  const sockets = new Sockets(server.url);
  const tally: Tally = { callers: {}, asked: {}, answeredData: {}, codes: {}, fields: {} };
  let calls = 0;

  async function trySend(call: Call, sent: Sent): Promise<void> {
    const isSubscription = call.operation.kind === "subscription";
    const send = { post, get, socket: (_url: string, one: Sent) => sockets.send(one) }[call.transport];
    let outcome: Outcome | null = null;
    let faults: string[];
    try {
      outcome = await send(server.url, sent);
      const judged = judgeOutcome(outcome, isSubscription || (sent.spoil !== null && outcome.by === "socket"));
      note(tally, call.operation, outcome.by, judged);
      faults = [...judged.faults];
      // What any page may send by a link must not act.
      const isAct = /^\s*mutation/.test(sent.query) && judged.answered.length > 0;
      if (outcome.by === "get" && isAct) faults.push("a mutation by GET was carried out");
    } catch (error) {
      faults = [`no answer: ${String(error)} ${error instanceof Error ? String(error.cause) : ""}`];
    }
    faults.push(...logged.splice(0).map((line) => `the log has: ${line.trimEnd()}`));
    if (faults.length > 0) throw new Error(tellCall(sent, call, outcome, faults));
  }

  try {
    const world = await openWorld(server);
    const property = fc.asyncProperty(callsOf(buildOnejobSchema(), depth), async (call) => {
      calls += 1;
      if (calls % renewAfter === 0) await world.renew();
      const { caller, operationName, accept, headers, operation } = call;
      const written = writtenCall(call, world.resolve);
      const isSubscription = operation.kind === "subscription";
      const spoil = messageDamage(call);
      const token = caller === null ? null : world.tokenOf(caller);
      count(tally.callers, caller ?? "nobody");
      await trySend(call, { ...written, caller, token, isSubscription, operationName, accept, headers, spoil });
      onCall?.(calls);
    });
    const details = await fc.check(property, { numRuns: runs, seed, ...(path !== undefined && { path }) });
    if (details.failed) {
      const again = `npm run fuzz -- --seed ${seed} --path ${details.counterexamplePath}`;
      return { tally, failure: `${String(details.errorInstance)}\nAgain: ${again}` };
    }
    await server.operator.ask("{ viewer { ownerId } }");
    const broken = [...(await checkInvariants(server.sql)), ...logged];
    return { tally, failure: broken.length === 0 ? null : `After ${calls} calls: ${broken.join("\n")}` };
  } finally {
    sockets.close();
    await server.stop();
  }
}
