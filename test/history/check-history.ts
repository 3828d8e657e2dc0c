/** Checks a recorded history: register by register, and that no job stands under two keys. It says in words where it is refused. */
import { keyRegister } from "./key-register.ts";
import { linearise, type Verdict } from "./linearise.ts";
import type { JobCall, KeyCall, Operation } from "./operation.ts";
import { slotRegister } from "./slot-register.ts";

function isAboutKey(operation: Operation): operation is Operation<KeyCall> {
  return "key" in operation.call;
}

function isAboutJob(operation: Operation): operation is Operation<JobCall> {
  return "job" in operation.call;
}

function groupBy<Value>(values: readonly Value[], nameOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(nameOf(value));
    if (group === undefined) groups.set(nameOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

export interface Parts {
  readonly keys: ReadonlyMap<string, readonly Operation<KeyCall>[]>;
  readonly jobs: ReadonlyMap<string, readonly Operation<JobCall>[]>;
}

/** A history is linearisable exactly if each register's part of it is. */
export function partition(history: readonly Operation[]): Parts {
  return {
    keys: groupBy(history.filter(isAboutKey), ({ call }) => call.key),
    jobs: groupBy(history.filter(isAboutJob), ({ call }) => call.job),
  };
}

function describe({ client, server, call, answer, invokedAt, answeredAt }: Operation): string {
  const until = answeredAt === null ? "no answer" : `${(answeredAt / 1e6).toFixed(3)} ms`;
  const asked = `client ${client} at server ${server}: ${JSON.stringify(call)}`;
  return `  ${(invokedAt / 1e6).toFixed(3)} ms to ${until}, ${asked} -> ${JSON.stringify(answer)}`;
}

/** Of a long order, so many calls tell where it went wrong. */
const shown = 12;

function explain(what: string, verdict: Verdict<Operation>): string[] {
  if (verdict.isLinear) return [];
  const { order, stuckAt } = verdict;
  return [
    [
      `${what}: no order of its calls explains the answers.`,
      ` The longest that was found${order.length > shown ? `, of ${order.length} calls, its last ${shown}` : ""}:`,
      ...order.slice(-shown).map(describe),
      ` None of these can come next:`,
      ...stuckAt.map(describe),
    ].join("\n"),
  ];
}

/** A job that answers about two keys have named. */
function sharedJobs({ keys }: Parts): string[] {
  const holders = new Map<string, Set<string>>();
  for (const [key, operations] of keys) {
    for (const { answer } of operations) {
      if (answer === null || !("job" in answer) || answer.job === null) continue;
      holders.set(answer.job, (holders.get(answer.job) ?? new Set()).add(key));
    }
  }
  return [...holders].flatMap(([job, named]) =>
    named.size > 1 ? [`job ${job}: it is named as the job of the keys ${[...named].join(" and ")}.`] : [],
  );
}

/** Why the history is refused, one text for each register; empty where it is linearisable. */
export function checkHistory(history: readonly Operation[]): string[] {
  const parts = partition(history);
  return [
    ...sharedJobs(parts),
    ...[...parts.keys].flatMap(([key, operations]) => explain(`key ${key}`, linearise(keyRegister, operations))),
    ...[...parts.jobs].flatMap(([job, operations]) => explain(`job ${job}`, linearise(slotRegister, operations))),
  ];
}
