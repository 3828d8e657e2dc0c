/** Carries a command out by the store's own verb, as the server does, and gives its answer with instants as numbers. It expects nothing. */
import { randomUUID } from "node:crypto";
import type { CreateJob } from "../../src/store/commands.ts";
import type { Store } from "../../src/store/store.ts";
import { actorOf, byOperator, failureOf, type Moment, policyOf, scopeOf } from "./asking.ts";
import { carryOutInSql } from "./carry-out-in-sql.ts";
import { carryOutWork } from "./carry-out-work.ts";
import type { Command } from "./commands.ts";
import type { Scene } from "./open-scene.ts";
import { operations } from "./settings.ts";

type Of<Verb extends Command["do"]> = Extract<Command, { do: Verb }>;

async function cancelJobs(store: Store, { owner, limit, caller }: Of<"cancelJobs">) {
  const ids = await store.read.openJobIds({ ownerId: owner }, limit);
  const call = randomUUID();
  const asked = { scope: scopeOf(caller), reason: null, actor: actorOf(caller), call };
  return await Promise.all(ids.map((jobId) => store.cancelJob({ jobId, ...asked })));
}

function resolveAttempt(store: Store, { attemptId, result, failed, lookedUp }: Of<"resolveAttempt">) {
  return store.resolveAttempt({
    attemptId,
    outcome:
      failed === null
        ? { kind: "SUCCEEDED", result: result as CreateJob["input"] }
        : { kind: "FAILED", failure: failureOf(failed.code, "NONE"), effectUncertain: failed.uncertain },
    evidence: "Seen.",
    action: lookedUp ? "lookUpAttempt" : "resolveAttempt",
    actor: byOperator,
  });
}

function cancelAttempt(store: Store, { attemptId, caller }: Of<"cancelAttempt">) {
  return store.cancelAttempt({
    attemptId,
    scope: scopeOf(caller),
    isOperator: caller.role !== "owner",
    ownerMayCancel: (operation) => operations[operation]?.ownerMayCancel === true,
    reason: null,
    actor: actorOf(caller),
  });
}

function retryJob(store: Store, { jobId, afterAttemptId, provider, override, caller }: Of<"retryJob">, moment: Moment) {
  return store.retryJob({
    jobId,
    scope: scopeOf(caller),
    afterAttemptId,
    provider,
    termsFor: policyOf(moment).termsFor,
    override: override ? { by: caller.name, reason: "Trust me." } : null,
    actor: actorOf(caller),
  });
}

/** The answer as the actor sees it. Throws what the store throws. */
export async function carryOut(scene: Scene, store: Store, command: Command, moment: Moment): Promise<unknown> {
  switch (command.do) {
    case "createJob":
    case "claimAttempts":
    case "markRunning":
    case "heartbeat":
    case "completeAttempt":
    case "failAttempt":
      return carryOutWork(scene, store, command, moment);
    case "expireAttempts":
      return store.expireAttempts(command.limit);
    case "cancelAttempt":
      return await cancelAttempt(store, command);
    case "cancelJob": {
      const { jobId, caller } = command;
      return await store.cancelJob({ jobId, scope: scopeOf(caller), reason: null, actor: actorOf(caller) });
    }
    case "cancelJobs":
      return cancelJobs(store, command);
    case "retryJob":
      return await retryJob(store, command, moment);
    case "resolveAttempt":
      return await resolveAttempt(store, command);
    case "markLookedUp":
      return { ...(await store.markLookedUp({ attemptId: command.attemptId, learnt: null, actor: byOperator })) };
    case "pauseProvider":
      return { ...(await store.pauseProvider({ provider: command.provider, reason: "Smoke.", actor: byOperator })) };
    case "resumeProvider":
      return { ...(await store.resumeProvider({ provider: command.provider, actor: byOperator })) };
    case "releaseKey": {
      const { owner, key } = command;
      return await store.releaseKey({
        ownerId: owner,
        idempotencyKey: key,
        reason: "Asked.",
        actor: byOperator,
      });
    }
    case "certify":
    case "revoke":
    case "strip":
    case "meddle":
      return carryOutInSql(scene.sql, command, moment);
  }
}
