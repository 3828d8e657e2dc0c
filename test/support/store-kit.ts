/** Commands for the store as a test wants them, and ways to bring a job into a state. It checks nothing. */
import { randomUUID } from "node:crypto";
import type { CreateJob } from "../../src/store/commands.ts";
import type { FoundOutcome, ResolveAttempt } from "../../src/store/operator-commands.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim, FailAttempt, FailurePolicy, WorkerReport } from "../../src/store/worker-commands.ts";

export const owner = { cause: "OWNER", name: "ann" } as const;
export const worker = { cause: "WORKER", name: "worker-token" } as const;
export const operator = { cause: "OPERATOR", name: "olga" } as const;

export function termsOf(provider: string) {
  return {
    provider,
    providerRevision: "1",
    attemptTimeoutMs: 60_000,
    leaseMs: 60_000,
    operationVersion: 1,
    contractDigest: "contract",
  };
}

/** Three tries at once on each provider, then the fallbacks. */
export const policy: FailurePolicy = {
  termsFor: (_operation, provider) => termsOf(provider),
  retryOf: () => ({ effectClass: "PURE", maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0 }),
};

export function createCommand(changes: Partial<CreateJob> = {}): CreateJob {
  return {
    ownerId: "ann",
    idempotencyKey: randomUUID(),
    givenDigest: "given",
    resolvedDigest: "resolved",
    operation: "print",
    operationVersion: 1,
    fallbackProviders: ["laser"],
    input: { text: "hello" },
    metadata: null,
    priority: 0,
    notBefore: null,
    traceparent: null,
    terms: termsOf("inkjet"),
    actor: owner,
    ...changes,
  };
}

export async function createOne(store: Store, changes: Partial<CreateJob> = {}): Promise<string> {
  const answer = await store.createJob(createCommand(changes));
  return answer.created ? answer.jobId : answer.holder.jobId;
}

export async function claimOne(store: Store, providers: readonly string[] = ["inkjet", "laser"]): Promise<Claim> {
  const [claim] = await store.claimAttempts({
    workerId: "worker-1",
    claimedBy: "worker-token",
    providers,
    operations: null,
    limit: 1,
    claimKey: null,
  });
  if (claim === undefined) throw new Error("Nothing was there to claim.");
  return claim;
}

/** The proof of a claim, for every report about it. */
export function reportOf(claim: Claim): WorkerReport {
  return { attemptId: claim.attempt.id, leaseToken: claim.leaseToken, providers: null, actor: worker };
}

export function failureOf(claim: Claim, changes: Partial<FailAttempt> = {}): FailAttempt {
  const failure = { code: "JAMMED", message: "Paper jam.", remedy: "NONE" } as const;
  return { ...reportOf(claim), certain: true, failure, effectUncertain: false, policy, ...changes };
}

export async function loseOne(store: Store, claim: Claim): Promise<void> {
  const failure = { code: "TIMEOUT", message: "No answer.", remedy: "NONE" } as const;
  await store.failAttempt(failureOf(claim, { certain: false, failure }));
}

export function retryCommand(
  jobId: string,
  afterAttemptId: string,
  changes: Partial<Parameters<Store["retryJob"]>[0]> = {},
) {
  return {
    jobId,
    scope: null,
    afterAttemptId,
    provider: null,
    termsFor: policy.termsFor,
    override: null,
    actor: owner,
    ...changes,
  };
}

/** By an operator, who may cancel in every state. */
export function cancelAttemptCommand(attemptId: string, changes: Partial<Parameters<Store["cancelAttempt"]>[0]> = {}) {
  return {
    attemptId,
    scope: null,
    isOperator: true,
    ownerMayCancel: () => false,
    reason: null,
    actor: operator,
    ...changes,
  };
}

/** By an operator who has found out what became of the attempt. */
export function resolveCommand(attemptId: string, outcome: FoundOutcome): ResolveAttempt {
  return { attemptId, outcome, evidence: "Seen at the printer.", action: "resolveAttempt", actor: operator };
}

/** An operator's outcome FAILED, without proof that nothing happened. */
export const foundFailed = {
  kind: "FAILED",
  failure: { code: "RESOLVED_FAILED", message: "Seen at the printer.", remedy: "NONE" },
  effectUncertain: true,
} as const satisfies FoundOutcome;

export function cancelJobCommand(jobId: string) {
  return { jobId, scope: null, reason: null, actor: owner };
}
