/**
 * Whether the calls on one register can be put into one order that its rules allow and that keeps real time: the search of Wing
 * and Gong, remembering where it has been as Lowe does. It knows no register, and is meant for tens of calls, not thousands.
 */
import type { Timed } from "./operation.ts";

export interface Register<State, Call extends Timed> {
  readonly initial: State;
  /**
   * The states that the call may leave behind, with the answer it got; none where it cannot have got that. For a call without an
   * answer: the states that its effect may leave. That it has none is tried anyway.
   */
  step(state: State, call: Call): readonly State[];
}

export type Verdict<Call> =
  | { readonly isLinear: true; readonly order: readonly Call[] }
  /** `order` is the longest that was found; none of `stuckAt` can come next. */
  | { readonly isLinear: false; readonly order: readonly Call[]; readonly stuckAt: readonly Call[] };

export function linearise<State, Call extends Timed>(
  register: Register<State, Call>,
  calls: readonly Call[],
): Verdict<Call> {
  for (const call of calls) {
    if (call.answeredAt !== null && call.answeredAt < call.invokedAt)
      return { isLinear: false, order: [], stuckAt: [call] };
  }
  const seen = new Set<string>();
  let best: { order: readonly number[]; stuckAt: readonly Call[] } = { order: [], stuckAt: [] };

  /** Calls that may be next: no other one was answered before they were invoked. */
  function candidates(done: bigint): number[] {
    const open = calls.flatMap((_, index) => ((done >> BigInt(index)) & 1n ? [] : [index]));
    const firstAnswer = Math.min(...open.map((index) => calls[index]?.answeredAt ?? Number.POSITIVE_INFINITY));
    if (firstAnswer === Number.POSITIVE_INFINITY) return [];
    return open.filter((index) => (calls[index] as Call).invokedAt <= firstAnswer);
  }

  /** The order of all calls that were answered, or null. */
  function search(state: State, done: bigint, order: readonly number[]): readonly number[] | null {
    const place = `${done} ${JSON.stringify(state)}`;
    if (seen.has(place)) return null;
    seen.add(place);
    const next = candidates(done);
    if (next.length === 0) return order;
    if (best.stuckAt.length === 0 || order.length > best.order.length) {
      best = { order, stuckAt: next.map((index) => calls[index] as Call) };
    }
    for (const index of next) {
      for (const after of register.step(state, calls[index] as Call)) {
        const found = search(after, done | (1n << BigInt(index)), [...order, index]);
        if (found !== null) return found;
      }
    }
    return null;
  }

  const found = search(register.initial, 0n, []);
  const named = (order: readonly number[]) => order.map((index) => calls[index] as Call);
  if (found !== null) return { isLinear: true, order: named(found) };
  return { isLinear: false, order: named(best.order), stuckAt: best.stuckAt };
}
