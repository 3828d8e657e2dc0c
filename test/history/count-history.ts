/** Counts what a history has met, so that nobody trusts one in which nothing happened at the same time. It judges no answer. */
import { partition } from "./check-history.ts";
import type { Operation } from "./operation.ts";

export interface Counts {
  readonly operations: number;
  readonly keys: number;
  readonly jobs: number;
  readonly unanswered: number;
  /** Pairs of calls on one register that were under way at the same time. */
  readonly overlappingPairs: number;
  /** Pairs of creates of one key that were under way at the same time, on two servers. */
  readonly overlappingCreates: number;
  /** How often each answer was given, as "complete discarded". */
  readonly answers: Readonly<Record<string, number>>;
}

function overlap(one: Operation, other: Operation): boolean {
  const [oneEnd, otherEnd] = [one.answeredAt ?? Number.POSITIVE_INFINITY, other.answeredAt ?? Number.POSITIVE_INFINITY];
  return one.invokedAt <= otherEnd && other.invokedAt <= oneEnd;
}

function pairs(operations: readonly Operation[], counts: (one: Operation, other: Operation) => boolean): number {
  return operations.reduce(
    (sum, one, index) => sum + operations.slice(index + 1).filter((other) => counts(one, other)).length,
    0,
  );
}

function isCreatePair(one: Operation, other: Operation): boolean {
  const areAnsweredCreates = [one, other].every(({ call, answer }) => call.kind === "create" && answer !== null);
  return areAnsweredCreates && one.server !== other.server && overlap(one, other);
}

export function countHistory(history: readonly Operation[]): Counts {
  const { keys, jobs } = partition(history);
  const registers = [...keys.values(), ...jobs.values()];
  const sum = (count: (operations: readonly Operation[]) => number) =>
    registers.reduce((total, operations) => total + count(operations), 0);
  const answers: Record<string, number> = {};
  for (const { call, answer } of history) {
    const name = `${call.kind} ${answer?.kind ?? "unanswered"}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }
  return {
    operations: history.length,
    keys: keys.size,
    jobs: jobs.size,
    unanswered: history.filter(({ answer }) => answer === null).length,
    overlappingPairs: sum((operations) => pairs(operations, overlap)),
    overlappingCreates: sum((operations) => pairs(operations, isCreatePair)),
    answers,
  };
}
