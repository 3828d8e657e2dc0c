/** Carries what is learnt about one attempt to the store, patiently where the database is away. It learns nothing itself. */

import type { ProgressReport } from "../domain/outcome.ts";
import type { Store } from "../store/store.ts";
import type { Claim, FailurePolicy, HeartbeatAnswer, WorkerReport } from "../store/worker-commands.ts";
import { insist } from "./insist.ts";
import type { Verdict } from "./judge-answer.ts";
import type { Log } from "./log.ts";
import { storableText } from "./storable.ts";

export interface ReporterOptions {
  readonly store: Store;
  readonly log: Log;
  readonly policy: FailurePolicy;
  readonly workerId: string;
  /** Least time between two beats for progress alone. */
  readonly progressMs: number;
  /** Aborted when not even verdicts are tried any more. */
  readonly givingUp: AbortSignal;
}

export type Refused = "closed" | "lease-lost";

export interface AttemptReporter {
  beat(progress: ProgressReport | null): Promise<HeartbeatAnswer>;
  /** Null when it is written, or cannot be for now. */
  acknowledge(providerRequestId: string | undefined, signal: AbortSignal): Promise<Refused | null>;
  deliver(verdict: Exclude<Verdict, { kind: "nothing" }>): Promise<void>;
}

/** For how long a verdict is offered to a database that is away; the sweeper has long spoken by then, and a late one still counts. */
const deliverForMs = 10 * 60_000;
const maxRequestIdLength = 500;

export function reporterOf(claim: Claim, about: object, options: ReporterOptions): AttemptReporter {
  const { store, log, policy, workerId, givingUp } = options;
  const { attempt } = claim;
  const report: WorkerReport = {
    attemptId: attempt.id,
    leaseToken: claim.leaseToken,
    providers: [attempt.provider],
    actor: { cause: "WORKER", name: workerId },
  };

  return {
    beat: (progress) => store.heartbeat({ ...report, progress }),

    async acknowledge(given, signal) {
      const providerRequestId = given === undefined ? null : storableText(given, maxRequestIdLength);
      const answer = await insist(() => store.markRunning({ ...report, providerRequestId }), {
        forMs: claim.deadlineMs,
        signal,
        onError: (error) => log.warn("acknowledgement-failed", { ...about, error }),
      });
      if (answer === null || answer.kind === "running") return null;
      return answer.kind === "lease-lost" ? "lease-lost" : "closed";
    },

    async deliver(verdict) {
      const write = () =>
        verdict.kind === "complete"
          ? store.completeAttempt({ ...report, result: verdict.result })
          : store.failAttempt({
              ...report,
              certain: verdict.certain,
              failure: verdict.failure,
              effectUncertain: verdict.effectUncertain,
              policy,
            });
      const answer = await insist<{ readonly kind: string }>(write, {
        forMs: deliverForMs,
        signal: givingUp,
        onError: (error) => log.error("report-failed", { ...about, error }),
      });
      const fields = { ...about, verdict: verdict.kind, answer: answer?.kind ?? "undelivered" };
      if (answer?.kind === "completed" || answer?.kind === "recorded") log.info("attempt-reported", fields);
      else log.warn("attempt-report-without-effect", fields);
    },
  };
}
