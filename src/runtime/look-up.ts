/**
 * Asks a provider what became of an attempt, and settles the attempt by what it says. A provider that cannot tell, or that
 * cannot be reached, leaves it as it is.
 */
import type { Actor } from "../domain/event.ts";
import type { Attempt } from "../domain/job.ts";
import { isLive } from "../domain/lifecycle.ts";
import type { Catalog, LookupCall, Provider } from "../domain/operation.ts";
import type { Outcome } from "../domain/outcome.ts";
import { providerIdempotencyKey } from "../domain/provider-key.ts";
import { encodeId } from "../store/ids.ts";
import type { FoundOutcome } from "../store/operator-commands.ts";
import type { Store } from "../store/store.ts";
import { sleep } from "./clock.ts";
import { judgeAnswer, type Verdict } from "./judge-answer.ts";
import type { Log } from "./log.ts";
import type { LookUp, LookUpAnswer } from "./ports.ts";
import { askProvider } from "./provider-fault.ts";

export interface LookUpOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly log: Log;
  /** What a provider gets to answer. */
  readonly patienceMs?: number;
}

/** Who has it asked, and why. */
interface Act {
  readonly actor: Actor;
  readonly reason: string | null;
}

type Asked = { readonly outcome: Outcome | null } | "unreachable";

const evidence = "The provider's look-up said so.";

export function lookUpOf({ store, catalog, log, patienceMs = 10_000 }: LookUpOptions): LookUp {
  async function ask(attempt: Attempt, provider: Provider): Promise<Asked> {
    const jobId = encodeId("job", attempt.jobId);
    const attemptId = encodeId("att", attempt.id);
    const [giveUp, answered] = [new AbortController(), new AbortController()];
    const call: LookupCall = {
      jobId,
      attemptId,
      providerRequestId: attempt.providerRequestId,
      idempotencyKey: providerIdempotencyKey(jobId, attempt.provider),
      signal: giveUp.signal,
    };
    // A provider that ignores the signal is not waited for either.
    const timeout = sleep(patienceMs, answered.signal).then(() => {
      throw new Error(`No answer within ${patienceMs} ms.`);
    });
    try {
      return { outcome: await Promise.race([askProvider(() => provider.lookup?.(call) ?? null), timeout]) };
    } catch (error) {
      log.warn("look-up-failed", { jobId, attemptId, provider: attempt.provider, error });
      return "unreachable";
    } finally {
      timeout.catch(() => {});
      giveUp.abort();
      answered.abort();
    }
  }

  async function judge(attempt: Attempt, outcome: Outcome | null): Promise<Verdict> {
    if (outcome === null) return { kind: "nothing" };
    const [job] = await store.read.jobs([attempt.jobId], null);
    return judgeAnswer({ kind: "answered", outcome }, null, job && catalog.operations.get(job.operation));
  }

  async function settle(attempt: Attempt, outcome: FoundOutcome, { actor, reason }: Act): Promise<LookUpAnswer> {
    const { id: attemptId, jobId } = attempt;
    const said = await store.resolveAttempt({ attemptId, outcome, evidence, action: "lookUpAttempt", reason, actor });
    if (said.kind === "resolved") return { kind: "asked", jobId, attemptId };
    return said.kind === "not-found" ? said : { kind: "closed", attemptId };
  }

  async function note(attempt: Attempt, verdict: Verdict, act: Act): Promise<LookUpAnswer> {
    const { id: attemptId, jobId } = attempt;
    const learnt = verdict.kind === "fail" ? verdict.failure.message : null;
    const { kind } = await store.markLookedUp({ attemptId, learnt, ...act });
    if (kind === "marked") return { kind: "asked", jobId, attemptId };
    return kind === "closed" ? { kind, attemptId } : { kind };
  }

  return async (attemptId, actor, reason = null) => {
    const act = { actor, reason };
    const [attempt] = await store.read.attempts([attemptId], null);
    if (attempt === undefined) return { kind: "not-found" };
    if (!isLive(attempt.state)) return { kind: "closed", attemptId };
    if (attempt.state === "QUEUED") return { kind: "unavailable", attemptId, why: "not-started" };
    const provider = catalog.providers.get(attempt.provider);
    if (provider?.lookup === undefined) return { kind: "unavailable", attemptId, why: "no-look-up" };
    const asked = await ask(attempt, provider);
    if (asked === "unreachable") return { kind: "unavailable", attemptId, why: "unreachable" };
    const verdict = await judge(attempt, asked.outcome);
    if (verdict.kind === "complete") return settle(attempt, { kind: "SUCCEEDED", result: verdict.result }, act);
    // While a worker has it, the request may still be on its way: "it failed" or "never heard of it" proves nothing yet.
    const isFailed = verdict.kind === "fail" && verdict.certain && attempt.state === "UNKNOWN";
    if (!isFailed) return note(attempt, verdict, act);
    const { failure, effectUncertain } = verdict;
    return settle(attempt, { kind: "FAILED", failure, effectUncertain }, act);
  };
}
