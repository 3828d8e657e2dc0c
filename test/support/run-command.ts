/** Carries out one command of the lifecycle table against an attempt, and says in a word what it answered. It judges nothing. */
import type { Store } from "../../src/store/store.ts";
import type { CommandName } from "./lifecycle-cells.ts";
import { firstResult, type Reached } from "./reach-state.ts";
import { cancelAttemptCommand, foundFailed, owner, policy, resolveCommand, retryCommand } from "./store-kit.ts";

/** Who asks, where it is not who may: another owner, or a worker of another provider. */
export interface Foreign {
  readonly scope: string;
  readonly providers: readonly string[];
}

/** The same code as the failure that reach-state.ts ends an attempt with, so that it is a repeat there. */
const failure = { code: "JAMMED", message: "Paper jam.", remedy: "NONE" } as const;

function inAWord(answer: { readonly kind: string; readonly repeated?: boolean }): string {
  return answer.repeated === true ? `${answer.kind} again` : answer.kind;
}

export async function runCommand(store: Store, name: CommandName, at: Reached, foreign?: Foreign): Promise<string> {
  const { jobId, attemptId } = at;
  const scope = foreign?.scope ?? "ann";
  const report = { ...at.report, providers: foreign?.providers ?? [at.provider] };
  const byOwner = { scope, isOperator: false, actor: owner };
  switch (name) {
    case "claim": {
      const claims = await store.claimAttempts({
        workerId: "worker-2",
        claimedBy: "worker-token",
        providers: report.providers,
        operations: null,
        limit: 1,
        claimKey: null,
      });
      return claims.length === 1 ? "claimed" : "nothing";
    }
    case "markRunning":
      return inAWord(await store.markRunning({ ...report, providerRequestId: null }));
    case "heartbeat":
      return inAWord(await store.heartbeat({ ...report, progress: null }));
    case "complete, first result":
      return inAWord(await store.completeAttempt({ ...report, result: firstResult }));
    case "complete, other result":
      return inAWord(await store.completeAttempt({ ...report, result: { pages: 2 } }));
    case "fail, certain":
      return inAWord(await store.failAttempt({ ...report, certain: true, failure, effectUncertain: false, policy }));
    case "fail, uncertain":
      return inAWord(await store.failAttempt({ ...report, certain: false, failure, effectUncertain: true, policy }));
    case "cancelAttempt by its owner":
      return inAWord(await store.cancelAttempt(cancelAttemptCommand(attemptId, byOwner)));
    case "cancelAttempt by an owner who may":
      return inAWord(
        await store.cancelAttempt(cancelAttemptCommand(attemptId, { ...byOwner, ownerMayCancel: () => true })),
      );
    case "cancelAttempt by an operator":
      return inAWord(await store.cancelAttempt(cancelAttemptCommand(attemptId, { scope: foreign?.scope ?? null })));
    case "cancelJob":
      return inAWord(await store.cancelJob({ jobId, scope, reason: null, actor: owner }));
    case "retryJob after it":
      return inAWord(await store.retryJob(retryCommand(jobId, attemptId, { scope })));
    case "resolve, first result":
      return inAWord(await store.resolveAttempt(resolveCommand(attemptId, { kind: "SUCCEEDED", result: firstResult })));
    case "resolve, other result":
      return inAWord(
        await store.resolveAttempt(resolveCommand(attemptId, { kind: "SUCCEEDED", result: { pages: 2 } })),
      );
    case "resolve, failed":
      return inAWord(await store.resolveAttempt(resolveCommand(attemptId, foundFailed)));
    case "expire, overdue": {
      const expired = await store.expireAttempts(200);
      return expired.some((one) => one.attemptId === attemptId) ? "expired" : "nothing";
    }
  }
}
