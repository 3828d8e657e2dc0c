/** Carries out what owners and workers ask all day long: createJob, claimAttempts and the reports. It expects nothing. */
import type { CreateJob } from "../../src/store/commands.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim, WorkerReport } from "../../src/store/worker-commands.ts";
import { failureOf, type Moment, policyOf } from "./asking.ts";
import type { Command, Json } from "./commands.ts";
import type { Scene } from "./open-scene.ts";
import { operationVersion, providers, workers } from "./settings.ts";

type Of<Verb extends Command["do"]> = Extract<Command, { do: Verb }>;
export type Work = Of<"createJob" | "claimAttempts" | "markRunning" | "heartbeat" | "completeAttempt" | "failAttempt">;

function reportOf({
  subject,
  attemptId,
  token,
}: Of<"markRunning" | "heartbeat" | "completeAttempt" | "failAttempt">): WorkerReport {
  return {
    attemptId,
    leaseToken: token,
    providers: workers[subject] ?? null,
    actor: { cause: "WORKER", name: subject },
  };
}

function createOf({ system }: Scene, command: Of<"createJob">, moment: Moment): CreateJob {
  const { owner, key, intent, priority, delayMs } = command;
  const given = intent as Parameters<typeof system.digestIntent>[0];
  const resolved = system.resolveIntent(given, providers);
  const terms = policyOf(moment).termsFor(resolved.operation, resolved.provider);
  if (terms === null) throw new Error("The simulation asks for what is not configured.");
  return {
    ownerId: owner,
    idempotencyKey: key,
    givenDigest: system.digestIntent(given),
    resolvedDigest: system.digestIntent(resolved),
    operation: resolved.operation,
    operationVersion,
    fallbackProviders: resolved.fallbackProviders,
    input: resolved.input,
    metadata: null,
    priority,
    notBefore: delayMs === null ? null : new Date(moment.now + delayMs),
    traceparent: null,
    terms,
    actor: { cause: "OWNER", name: owner },
  };
}

/** The same intent if it is the same as given or as resolved: what recordIntent of the API makes of the answer. */
async function createJob(store: Store, create: CreateJob): Promise<Json> {
  const answer = await store.createJob(create);
  if (answer.created) return { created: true, jobId: answer.jobId };
  const { jobId, givenDigest, resolvedDigest } = answer.holder;
  return {
    created: false,
    jobId,
    same: givenDigest === create.givenDigest || resolvedDigest === create.resolvedDigest,
  };
}

function shownClaim({
  attempt,
  leaseToken,
  leaseExpiresAt,
  deadlineAt,
  leaseMs,
  deadlineMs,
  operation,
  input,
}: Claim): Json {
  const instants = { leaseExpiresAt: leaseExpiresAt.getTime(), deadlineAt: deadlineAt.getTime() };
  return {
    attemptId: attempt.id,
    token: leaseToken,
    ...instants,
    leaseMs,
    deadlineMs,
    operation,
    input: input as Json,
  };
}

export async function carryOutWork(scene: Scene, store: Store, command: Work, moment: Moment): Promise<unknown> {
  switch (command.do) {
    case "createJob":
      return createJob(store, createOf(scene, command, moment));
    case "claimAttempts": {
      const { subject, ...asked } = command;
      const claims = await store.claimAttempts({ ...asked, workerId: `${subject}-1`, claimedBy: subject });
      return claims.map(shownClaim);
    }
    case "markRunning":
      return await store.markRunning({ ...reportOf(command), providerRequestId: command.requestId });
    case "heartbeat": {
      const progress = command.fraction === null ? null : { fraction: command.fraction, message: null };
      const answer = await store.heartbeat({ ...reportOf(command), progress });
      return answer.kind === "beating"
        ? { ...answer, leaseExpiresAt: answer.leaseExpiresAt?.getTime() ?? null }
        : answer;
    }
    case "completeAttempt":
      return await store.completeAttempt({
        ...reportOf(command),
        result: command.result as CreateJob["input"],
      });
    case "failAttempt": {
      const { certain, code, remedy, uncertain } = command;
      const failure = failureOf(code, remedy);
      return await store.failAttempt({
        ...reportOf(command),
        certain,
        failure,
        effectUncertain: uncertain,
        policy: policyOf(moment),
      });
    }
  }
}
