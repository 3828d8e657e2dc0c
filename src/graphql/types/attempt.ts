/**
 * Attempts, as a type of the API. They hold no results: a result is the job's, or was thrown away. A worker sees of an attempt
 * that it has not claimed, at a job that is not its own, how it stands; what was said of it is empty.
 */
import type { Attempt } from "../../domain/job.ts";
import { encodeId } from "../../store/ids.ts";
import { isOperator, maySee } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { loadJob } from "../load.ts";
import { certificationOf, providerNamed } from "./configured.ts";
import { AttemptStateEnum } from "./enums.ts";
import { FailureRef, ProgressRef } from "./outcome.ts";
import { AttemptRef, CertificationRef, JobRef, NodeRef, ProviderRef } from "./refs.ts";
import { viewerCanCancelAttempt } from "./viewer-can.ts";

/** Whoever is no worker has come by the attempt through a job that is theirs to see. */
async function mayRead(attempt: Attempt, context: RequestContext): Promise<boolean> {
  const { viewer } = context;
  if (!viewer.roles.has("WORKER") || isOperator(viewer) || attempt.claimedBy === viewer.ownerId) return true;
  return maySee(viewer, await loadJob(context, attempt.jobId));
}

/** A field's resolver for those who may read what was said of the attempt; null for others. */
function told<Value>(valueOf: (attempt: Attempt) => Value) {
  return async (attempt: Attempt, _arguments: object, context: RequestContext): Promise<Value | null> =>
    (await mayRead(attempt, context)) ? valueOf(attempt) : null;
}

AttemptRef.implement({
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (attempt) => encodeId("att", attempt.id) }),
    job: t.field({ type: JobRef, resolve: ({ jobId }, _arguments, context) => loadJob(context, jobId) }),
    number: t.exposeInt("number", { description: "1, 2, 3 … within the job." }),
    providerName: t.exposeString("provider"),
    providerRevision: t.exposeString("providerRevision", {
      description: "The provider's revision that this attempt was made for.",
    }),
    provider: t.field({
      type: ProviderRef,
      nullable: true,
      description: "As configured now; null once the configuration has dropped it.",
      resolve: ({ provider }, _arguments, context) => providerNamed(provider, context),
    }),
    state: t.expose("state", { type: AttemptStateEnum }),
    stateChangedAt: t.expose("stateChangedAt", { type: "DateTime" }),
    jobVersion: t.exposeInt("jobVersion", { description: "The job's version that this attempt read at its start." }),
    providerRequestId: t.string({
      nullable: true,
      resolve: told((attempt) => attempt.providerRequestId),
      description: "The provider's own id for the request, once known.",
    }),
    workerId: t.string({ nullable: true, resolve: told((attempt) => attempt.workerId) }),
    progress: t.field({ type: ProgressRef, nullable: true, resolve: told((attempt) => attempt.progress) }),
    failure: t.field({ type: FailureRef, nullable: true, resolve: told((attempt) => attempt.failure) }),
    effectUncertain: t.exposeBoolean("effectUncertain", {
      description:
        "True when this attempt has no result and its effect, or its bill, may exist all the same: always while UNKNOWN.",
    }),
    certification: t.field({
      type: CertificationRef,
      nullable: true,
      description:
        "The certification that let this provider take over, for an attempt on another provider than the job's.",
      resolve: ({ certificationId }, _arguments, context) => certificationOf(certificationId, context),
    }),
    uncertifiedBy: t.string({
      nullable: true,
      resolve: told((attempt) => attempt.uncertifiedBy),
      description: "The operator who let it start without one.",
    }),
    viewerCanCancel: t.boolean({
      description: "Whether cancelAttempt would end it for this caller now.",
      resolve: (attempt, _arguments, context) => viewerCanCancelAttempt(attempt, context),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    scheduledAt: t.expose("runAt", {
      type: "DateTime",
      description: "No worker gets it before: the end of the backoff, for an automatic retry.",
    }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    deadlineAt: t.expose("deadlineAt", {
      type: "DateTime",
      nullable: true,
      description: "When an unanswered attempt becomes UNKNOWN.",
    }),
    leaseExpiresAt: t.expose("leaseExpiresAt", { type: "DateTime", nullable: true }),
    lookedUpAt: t.expose("lookedUpAt", {
      type: "DateTime",
      nullable: true,
      description: "When the provider was last asked what became of it.",
    }),
    lateResultAt: t.expose("lateResultAt", {
      type: "DateTime",
      nullable: true,
      description: "When a result of this attempt came too late and was thrown away.",
    }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});
