/**
 * A job as a register: its attempts one after another, ended by cancellation alone, and the result slot that the newest one may
 * take while it is live. Written down from the design, sharing nothing with the store. Claims and failures are not in it.
 */
import type { Register } from "./linearise.ts";
import type { Answer, JobCall, Operation } from "./operation.ts";

/** An attempt whose id nobody has seen yet: the first one, or that of a retry without an answer. */
const unseen = "?";

export interface SlotState {
  /** In order. All but the newest were cancelled. */
  readonly attempts: readonly string[];
  /** "live": the newest attempt is; "idle": it was cancelled, and another may start; "won": it took the slot; "closed": cancelJob. */
  readonly phase: "live" | "idle" | "won" | "closed";
  readonly result: string | null;
}

type Place = readonly [state: SlotState, isNewest: boolean, place: number];

/** Where the attempt stands: at its place, or at any of an attempt that nobody has seen yet. */
function placesOf(state: SlotState, attempt: string): readonly Place[] {
  const { attempts } = state;
  const isNewest = (place: number) => place === attempts.length - 1;
  const known = attempts.indexOf(attempt);
  if (known !== -1) return [[state, isNewest(known), known]];
  return attempts.flatMap((one, place): Place[] =>
    one === unseen ? [[{ ...state, attempts: attempts.with(place, attempt) }, isNewest(place), place]] : [],
  );
}

/** The state, with that attempt as the newest; none if another one is. */
function withNewest(state: SlotState, attempt: string): readonly SlotState[] {
  return placesOf(state, attempt).flatMap(([seen, isNewest]) => (isNewest ? [seen] : []));
}

/** The state if the slot is held by that attempt, or by nobody where it is null. */
function heldBy(state: SlotState, winner: string | null): readonly SlotState[] {
  if (state.phase !== "won") return winner === null ? [state] : [];
  return winner === null ? [] : withNewest(state, winner);
}

const phaseOf: Readonly<Record<string, SlotState["phase"]>> = {
  QUEUED: "live",
  RUNNING: "live",
  UNKNOWN: "live",
  FAILED: "idle",
  SUCCEEDED: "won",
  CANCELLED: "closed",
};

function complete([state, isNewest]: Place, result: string, answer: Answer | null): readonly SlotState[] {
  const takes = state.phase === "live" && isNewest;
  const isRepeat = state.phase === "won" && isNewest && state.result === result;
  if (answer === null) return takes ? [{ ...state, phase: "won", result }] : [];
  if (answer.kind === "won") return takes ? [{ ...state, phase: "won", result }] : isRepeat ? [state] : [];
  return answer.kind === "discarded" && !takes && !isRepeat ? heldBy(state, answer.winner) : [];
}

function cancelAttempt([state, isNewest]: Place, answer: Answer | null): readonly SlotState[] {
  const hasWon = state.phase === "won" && isNewest;
  if (answer?.kind === "closed") return hasWon ? [state] : [];
  if (hasWon || (answer !== null && answer.kind !== "cancelled")) return [];
  return [state.phase === "live" && isNewest ? { ...state, phase: "idle" } : state];
}

function cancelJob(state: SlotState, answer: Answer | null): readonly SlotState[] {
  if (answer?.kind === "closed") return state.phase === "won" ? [state] : [];
  if (state.phase === "won" || (answer !== null && answer.kind !== "cancelled")) return [];
  return [{ ...state, phase: "closed" }];
}

function retry([state, isNewest, place]: Place, answer: Answer | null): readonly SlotState[] {
  const { attempts, phase } = state;
  const isOver = phase === "won" || phase === "closed";
  const starts = phase === "idle" && isNewest;
  const missesOne = place === attempts.length - 2;
  switch (answer?.kind) {
    case undefined:
      return starts ? [{ ...state, attempts: [...attempts, unseen], phase: "live" }] : [];
    case "started":
      return starts && !attempts.includes(answer.attempt)
        ? [{ ...state, attempts: [...attempts, answer.attempt], phase: "live" }]
        : [];
    case "inFlight":
      return phase === "live" && (isNewest || missesOne) ? withNewest(state, answer.attempt) : [];
    case "outdated":
      return !isOver && !isNewest && (phase === "idle" || !missesOne) ? withNewest(state, answer.attempt) : [];
    case "closed":
      return isOver ? [state] : [];
    default:
      return [];
  }
}

function readJob(state: SlotState, answer: Answer | null): readonly SlotState[] {
  if (answer?.kind !== "job" || phaseOf[answer.state] !== state.phase || answer.result !== state.result) return [];
  return withNewest(state, answer.latest).flatMap((seen) => heldBy(seen, answer.winner));
}

export const slotRegister: Register<SlotState, Operation<JobCall>> = {
  initial: { attempts: [unseen], phase: "live", result: null },
  step(state, { call, answer }) {
    switch (call.kind) {
      case "complete":
        return placesOf(state, call.attempt).flatMap((place) => complete(place, call.result, answer));
      case "cancelAttempt":
        return placesOf(state, call.attempt).flatMap((place) => cancelAttempt(place, answer));
      case "cancelJob":
        return cancelJob(state, answer);
      case "retry":
        return placesOf(state, call.after).flatMap((place) => retry(place, answer));
      case "readJob":
        return readJob(state, answer);
    }
  },
};
