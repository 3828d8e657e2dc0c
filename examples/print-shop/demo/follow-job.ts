/** Follows one job live: shows its events and its progress as they arrive, and lets the story wait for an event. It calls no mutation. */
import { Complaint } from "./complaint.ts";
import type { JobEvent, ProgressView } from "./documents.ts";
import type { PublicApi } from "./public-api.ts";
import { showEvent, showProgress } from "./show-event.ts";
import type { Stage } from "./stage.ts";

export interface Awaited {
  readonly type: string;
  readonly attempt: number;
  /** An event of the same attempt after which the other can no longer come as told. */
  readonly unless?: readonly string[];
}

export interface FollowedJob {
  /** All of them so far, in order. */
  readonly events: readonly JobEvent[];
  /** The event, whether it has come already or is yet to come. */
  until(awaited: Awaited): Promise<JobEvent>;
  hasSeen(awaited: Awaited): boolean;
  close(): void;
}

const endings: ReadonlySet<string> = new Set([
  "ATTEMPT_SUCCEEDED",
  "ATTEMPT_FAILED",
  "ATTEMPT_UNKNOWN",
  "ATTEMPT_CANCELLED",
]);

export function followJob(api: PublicApi, stage: Stage, jobId: string, patienceMs: number): FollowedJob {
  const events: JobEvent[] = [];
  const running = new Set<number>();
  let unshown: ProgressView | null = null;
  const waiting = new Set<() => void>();
  let fault: string | null = null;
  let messageAtTheEnd: string | null = null;

  function wakeAll(): void {
    for (const wake of waiting) wake();
  }

  function onError(message: string): void {
    fault ??= message;
    wakeAll();
  }

  function showNext(event: JobEvent): void {
    events.push(event);
    const { attempt, type } = event;
    if (attempt !== null && endings.has(type)) {
      running.delete(attempt.number);
      stage.keepBar(type === "ATTEMPT_SUCCEEDED" ? showProgress(attempt.providerName, 1, messageAtTheEnd) : undefined);
      messageAtTheEnd = null;
    }
    stage.tell(showEvent(event, events[0] ?? event));
    if (attempt !== null && type === "ATTEMPT_RUNNING") {
      running.add(attempt.number);
      if (unshown !== null) showNow(unshown);
    }
    wakeAll();
  }

  /** Snapshots and events come on two subscriptions: a bar is shown between the events that begin and end its attempt. */
  function showNow(view: ProgressView): void {
    const { latestAttempt, progress } = view;
    if (progress === null || progress.fraction === null) return;
    unshown = running.has(latestAttempt.number) ? null : view;
    if (unshown !== null) return;
    messageAtTheEnd = progress.fraction === 1 ? progress.message : null;
    stage.showBar(showProgress(latestAttempt.providerName, progress.fraction, progress.message));
  }

  const stops = [
    api.jobEvents(jobId, { onNext: showNext, onError }),
    api.jobUpdated(jobId, { onNext: showNow, onError }),
  ];

  function find(attempt: number, types: readonly string[]): JobEvent | undefined {
    return events.find((event) => event.attempt?.number === attempt && types.includes(event.type));
  }

  return {
    events,
    hasSeen: ({ type, attempt }) => find(attempt, [type]) !== undefined,
    until: ({ type, attempt, unless = [] }) =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const giveUp = (why: string) => {
          end();
          reject(
            new Complaint(`The story went otherwise: ${type} of attempt ${attempt} should have come, but ${why}.`),
          );
        };
        const timer = setTimeout(() => giveUp(`did not within ${Math.round(patienceMs / 1000)} s`), patienceMs);
        const look = () => {
          const event = find(attempt, [type]);
          const other = find(attempt, unless);
          if (event !== undefined) {
            end();
            resolve(event);
          } else if (other !== undefined) giveUp(`${other.type} came`);
          else if (fault !== null) giveUp(`the subscription broke: ${fault}`);
        };
        waiting.add(look);
        look();
      }),
    close() {
      for (const stop of stops) stop();
    },
  };
}
