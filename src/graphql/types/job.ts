/**
 * Jobs, as a type of the API. A worker that is neither the job's owner nor an operator reaches a job through its attempt,
 * and sees what the attempt needs (id, operation, providers, input, state, version, times); the rest is empty for it.
 */
import type { Job } from "../../domain/job.ts";
import { encodeId } from "../../store/ids.ts";
import { maySee } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { loadAttempt, loadLiveAttempt } from "../load.ts";
import { attemptsConnection } from "./attempts-of-job.ts";
import { operationNamed, providerNamed } from "./configured.ts";
import { AttemptConnectionRef, pageArguments } from "./connections.ts";
import { JobStateEnum } from "./enums.ts";
import { eventsOfJob } from "./events-of-job.ts";
import { FailureRef, ProgressRef } from "./outcome.ts";
import { AttemptRef, JobEventRef, JobRef, NodeRef, OperationRef, ProviderRef } from "./refs.ts";
import { viewerCanCancelJob, viewerCanRetry } from "./viewer-can.ts";

const dropped = "As configured now; null once the configuration has dropped it.";

/** A field's resolver for those who may see the job in full; to a mere worker it shows `otherwise`. */
function ownedOr<Value, Otherwise, Arguments>(
  otherwise: Otherwise,
  resolve: (job: Job, context: RequestContext, given: Arguments) => Value,
): (job: Job, given: Arguments, context: RequestContext) => Value | Otherwise {
  return (job, given, context) => (maySee(context.viewer, job) ? resolve(job, context, given) : otherwise);
}

JobRef.implement({
  description:
    "The durable record of one intent. A worker that is not its owner reaches it through an attempt, and sees what the attempt needs: its owner, key, metadata, result, failure, other attempts and events are empty then.",
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (job) => encodeId("job", job.id) }),
    ownerId: t.string({ resolve: ownedOr("", (job) => job.ownerId) }),
    idempotencyKey: t.string({ resolve: ownedOr("", (job) => job.idempotencyKey) }),
    operationName: t.exposeString("operation"),
    operationVersion: t.exposeInt("operationVersion"),
    operation: t.field({
      type: OperationRef,
      nullable: true,
      description: dropped,
      resolve: ({ operation }, _arguments, context) => operationNamed(operation, context),
    }),
    providerName: t.exposeString("provider", { description: "The provider that the intent names." }),
    provider: t.field({
      type: ProviderRef,
      nullable: true,
      description: dropped,
      resolve: ({ provider }, _arguments, context) => providerNamed(provider, context),
    }),
    fallbackProviderNames: t.exposeStringList("fallbackProviders", {
      description: "Providers that may take over, in order.",
    }),
    input: t.expose("input", { type: "JSON", nullable: true, description: "Null once retention has removed it." }),
    metadata: t.field({ type: "JSON", nullable: true, resolve: ownedOr(null, (job) => job.metadata) }),
    state: t.expose("state", { type: JobStateEnum }),
    version: t.exposeInt("version", {
      description:
        "Compared and swapped by every completion; goes up by one with each decision about the job. Starts and failures leave it alone: order snapshots by lastEventNumber.",
    }),
    lastEventNumber: t.exposeInt("eventCount", {
      description:
        "Number of this job's newest event: hand it to jobEvents(after:), and drop a snapshot with a lower one. Between equals the later progress.updatedAt is newer.",
    }),
    result: t.field({ type: "JSON", nullable: true, resolve: ownedOr(null, (job) => job.result) }),
    failure: t.field({
      type: FailureRef,
      nullable: true,
      description: "Why the job is FAILED: the failure of its last attempt.",
      resolve: ownedOr(null, (job) => job.failure),
    }),
    progress: t.field({
      type: ProgressRef,
      nullable: true,
      description: "Of the live attempt; null without one.",
      resolve: ownedOr(null, async (job, context) => (await loadLiveAttempt(context, job))?.progress ?? null),
    }),
    winner: t.field({
      type: AttemptRef,
      nullable: true,
      description: "The attempt that holds the result slot.",
      resolve: ownedOr(null, ({ completedBy }, context) =>
        completedBy === null ? null : loadAttempt(context, completedBy),
      ),
    }),
    latestAttempt: t.field({
      type: AttemptRef,
      resolve: (job, _arguments, context) => loadAttempt(context, job.latestAttempt),
    }),
    liveAttempt: t.field({
      type: AttemptRef,
      nullable: true,
      description:
        "The attempt that is QUEUED, STARTING, RUNNING or UNKNOWN, if there is one; retryJob waits for its end.",
      resolve: ownedOr(null, (job, context) => loadLiveAttempt(context, job)),
    }),
    attempts: t.field({
      type: AttemptConnectionRef,
      description: "Oldest first; 20 unless first or last says otherwise, at most 100.",
      args: pageArguments,
      resolve: async (job, page, { loaders, viewer }) =>
        attemptsConnection(job.id, maySee(viewer, job) ? await loaders.attemptsOfJob.load(job.id) : [], page),
    }),
    events: t.field({
      type: [JobEventRef],
      description:
        "Those after the given number, at most 500; go on with the last one's number. With last, the newest instead, still in order.",
      args: {
        after: t.arg.int({ required: true, defaultValue: 0 }),
        first: t.arg.int({ required: true, defaultValue: 100 }),
        last: t.arg.int(),
      },
      resolve: (job, wanted, context) => (maySee(context.viewer, job) ? eventsOfJob(job.id, wanted, context) : []),
    }),
    viewerCanRetry: t.boolean({
      description: "Whether retryJob, on the last attempt's provider, would start an attempt for this caller now.",
      resolve: (job, _arguments, context) => viewerCanRetry(job, context),
    }),
    viewerCanCancel: t.boolean({
      description: "Whether cancelJob would withdraw the job for this caller now.",
      resolve: (job, _arguments, context) => viewerCanCancelJob(job, context),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    closedAt: t.expose("closedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it became SUCCEEDED or CANCELLED; null while it may still change, FAILED included.",
    }),
    purgedAt: t.expose("purgedAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When retention removed input, result, attempts' details and events. The job itself and its key stay.",
    }),
  }),
});
