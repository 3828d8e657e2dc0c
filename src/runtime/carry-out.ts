/** One claimed attempt, from the call of its provider to the report of what became of it. It claims nothing and counts nothing. */
import type { Operation, Provider, ProviderCall } from "../domain/operation.ts";
import type { Outcome } from "../domain/outcome.ts";
import { providerIdempotencyKey } from "../domain/provider-key.ts";
import { encodeId } from "../store/ids.ts";
import type { Claim } from "../store/worker-commands.ts";
import { type ReporterOptions, reporterOf } from "./attempt-reporter.ts";
import { sleep } from "./clock.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { type AbortCause, type Answer, judgeAnswer } from "./judge-answer.ts";

export interface Surroundings extends ReporterOptions {
  /** Called when an attempt's deadline has passed: it is for the sweeper to say so. */
  readonly onDeadline: () => void;
}

export type InProcessProvider = Provider & Required<Pick<Provider, "run">>;

export interface CarriedAttempt {
  readonly attemptId: string;
  /** It no longer takes a place at its provider: reported, or given up while the provider may still be at it. */
  readonly released: Promise<void>;
  /** Over: reported, or left to the sweeper. */
  readonly settled: Promise<void>;
  /** Asks the provider to stop, and goes on waiting for its answer. */
  abort(cause: AbortCause): void;
  /** Stops waiting for the provider's answer. */
  abandon(): void;
}

async function ask(provider: InProcessProvider, call: ProviderCall): Promise<Answer> {
  try {
    const outcome: Outcome = await provider.run(call);
    return { kind: "answered", outcome };
  } catch (error) {
    return { kind: "threw", error };
  }
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

export function carryOut(
  claim: Claim,
  provider: InProcessProvider,
  operation: Operation | undefined,
  surroundings: Surroundings,
): CarriedAttempt {
  const { log, progressMs } = surroundings;
  const { attempt } = claim;
  const ids = { jobId: encodeId("job", attempt.jobId), attemptId: encodeId("att", attempt.id) };
  const about = { ...ids, provider: provider.name };
  const reporter = reporterOf(claim, about, surroundings);
  const aborting = new AbortController();
  const abandoning = new AbortController();
  const over = new AbortController();
  let aborted: AbortCause | null = null;
  let isAnswered = false;

  const heartbeat = startHeartbeat({
    beat: (progress) => reporter.beat(progress),
    leaseMs: claim.leaseMs,
    progressMs,
    onRefused: abort,
    onError: (error) => log.warn("heartbeat-failed", { ...about, error }),
  });

  function abort(cause: AbortCause): void {
    if (aborted !== null || isAnswered) return;
    aborted = cause;
    log.warn("attempt-given-up", { ...about, cause });
    void heartbeat.stop();
    aborting.abort(new Error(`The attempt was given up: ${cause}.`));
  }

  async function keepDeadline(): Promise<void> {
    await sleep(claim.deadlineMs, over.signal);
    if (over.signal.aborted) return;
    abort("deadline");
    surroundings.onDeadline();
  }

  const call: ProviderCall = {
    ...ids,
    attemptNumber: attempt.number,
    operation: claim.operation,
    operationVersion: claim.operationVersion,
    input: claim.input,
    idempotencyKey: providerIdempotencyKey(ids.jobId, provider.name),
    deadline: claim.deadlineAt,
    signal: aborting.signal,
    traceparent: claim.traceparent,
    reportProgress: (progress) => heartbeat.reportProgress(progress),
    async acknowledge(providerRequestId) {
      const refused = await reporter.acknowledge(providerRequestId, aborting.signal);
      if (refused !== null) abort(refused);
    },
  };

  async function carry(): Promise<void> {
    try {
      const abandoned = once(abandoning.signal).then((): Answer => ({ kind: "abandoned" }));
      const answer = await Promise.race([ask(provider, call), abandoned]);
      isAnswered = answer.kind !== "abandoned";
      const verdict = await judgeAnswer(answer, aborted, operation);
      // The lease is kept while the verdict is on its way: a database that was away must not find it lost.
      if (verdict.kind === "nothing") return;
      // The attempt's end shuts out whatever progress has not been written.
      await heartbeat.flush();
      await reporter.deliver(verdict);
    } catch (error) {
      log.error("attempt-not-carried-out", { ...about, error });
    } finally {
      over.abort();
      await heartbeat.stop();
    }
  }

  void keepDeadline();
  const settled = carry();
  return {
    attemptId: attempt.id,
    settled,
    released: Promise.race([settled, once(aborting.signal)]),
    abort,
    abandon: () => abandoning.abort(),
  };
}
