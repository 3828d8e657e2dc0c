/** The idempotency key as a register that is written once: the first create binds it to a job and an intent, for good. */
import type { Register } from "./linearise.ts";
import type { KeyCall, Operation } from "./operation.ts";

/** A create without an answer binds the key to a job whose id nobody has seen yet. */
const unseen = "?";

export type KeyState = { readonly job: string; readonly intent: string } | null;

/** The state in which the key is bound to that job; none if it is bound to another. */
function boundTo(state: KeyState, job: string | null): readonly NonNullable<KeyState>[] {
  if (state === null || job === null) return [];
  if (state.job === unseen) return [{ ...state, job }];
  return state.job === job ? [state] : [];
}

export const keyRegister: Register<KeyState, Operation<KeyCall>> = {
  initial: null,
  step(state, { call, answer }) {
    if (call.kind === "readKey") {
      if (answer?.kind !== "key") return [];
      if (answer.job === null) return state === null ? [state] : [];
      return boundTo(state, answer.job).filter(({ intent }) => intent === answer.intent);
    }
    const { intent } = call;
    switch (answer?.kind) {
      case undefined:
        return state === null ? [{ job: unseen, intent }] : [];
      case "created":
        return state === null ? [{ job: answer.job, intent }] : [];
      case "same":
        return boundTo(state, answer.job).filter((bound) => bound.intent === intent);
      case "conflict":
        return boundTo(state, answer.job).filter((bound) => bound.intent !== intent);
      default:
        return [];
    }
  },
};
