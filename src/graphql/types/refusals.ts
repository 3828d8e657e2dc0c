/** The types of the refusals, all of which implement UserError. Their values, and what they say, are made in refusals.ts. */
import type { InputIssue } from "../../domain/refusal.ts";
import { builder } from "../builder.ts";
import { loadAttempt } from "../load.ts";
import * as Refusals from "../refusals.ts";
import { CertificationCheckRef } from "./certification.ts";
import { certificationOf, failedChecksOf } from "./configured.ts";
import { ErrorCodeEnum, NotCertifiedReasonEnum } from "./enums.ts";
import { AttemptRef, CertificationRef, JobRef, ProviderRef } from "./refs.ts";
import { attemptOf, jobOf } from "./successes.ts";

type RefusalName = keyof typeof Refusals.errorCodeOf;

const UserErrorRef = builder
  .interfaceRef<{ readonly __typename: RefusalName; readonly message: string }>("UserError")
  .implement({
    description:
      "Something the caller can act on. Every mutation answers with a union of its success type and these. Normalising caches need possibleTypes (the client package exports them), or they drop the fields of `... on UserError`.",
    fields: (t) => ({
      code: t.field({
        type: ErrorCodeEnum,
        nullable: false,
        resolve: ({ __typename }) => Refusals.errorCodeOf[__typename],
      }),
      message: t.exposeString("message", { nullable: false }),
    }),
  });

const InputIssueRef = builder.objectRef<InputIssue>("InputIssue").implement({
  fields: (t) => ({
    path: t.exposeString("path", { description: "JSON Pointer into the mutation's input." }),
    message: t.exposeString("message"),
  }),
});

export const InvalidInputRef = builder.objectRef<Refusals.InvalidInput>("InvalidInput").implement({
  description: "The input breaks a rule of its mutation or of its operation, and nothing was written.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ issues: t.expose("issues", { type: [InputIssueRef] }) }),
});

export const NotFoundRef = builder.objectRef<Refusals.NotFound>("NotFound").implement({
  description: "What the input names is not there, or is not the caller's to see: which of the two is not told.",
  interfaces: [UserErrorRef],
});

export const IdempotencyConflictRef = builder.objectRef<Refusals.IdempotencyConflict>("IdempotencyConflict").implement({
  description: "The key is bound to another intent.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    existingJob: t.field({ type: JobRef, resolve: jobOf }),
    differences: t.exposeStringList("differences", {
      description:
        "Where the intents differ, as JSON Pointers such as /input/amount; empty once retention has removed the first one's input.",
    }),
  }),
});

export const AttemptInFlightRef = builder.objectRef<Refusals.AttemptInFlight>("AttemptInFlight").implement({
  description: "An attempt is queued, starting, running or unknown, so none may be started.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    job: t.field({ type: JobRef, resolve: jobOf }),
    attempt: t.field({ type: AttemptRef, resolve: attemptOf }),
  }),
});

export const RetryOutdatedRef = builder.objectRef<Refusals.RetryOutdated>("RetryOutdated").implement({
  description: "A newer attempt than the one named exists, and has ended: the caller's picture is old.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    job: t.field({ type: JobRef, resolve: jobOf }),
    latestAttempt: t.field({ type: AttemptRef, resolve: attemptOf }),
  }),
});

export const JobClosedRef = builder.objectRef<Refusals.JobClosed>("JobClosed").implement({
  description: "The job has succeeded or was cancelled.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ job: t.field({ type: JobRef, resolve: jobOf }) }),
});

export const ProviderNotCertifiedRef = builder
  .objectRef<Refusals.ProviderNotCertified>("ProviderNotCertified")
  .implement({
    description: "The provider is not the job's own, and no current certification lets it take over.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      provider: t.field({
        type: ProviderRef,
        resolve: ({ provider: name }, _arguments, { catalog }) => {
          const provider = catalog.providers.get(name);
          if (provider === undefined) throw new Error(`The provider ${name} was refused, and is not configured.`);
          return provider;
        },
      }),
      reason: t.expose("reason", { type: NotCertifiedReasonEnum }),
      certification: t.field({
        type: CertificationRef,
        nullable: true,
        description: "The newest certification, if there was one.",
        resolve: ({ certificationId }, _arguments, context) => certificationOf(certificationId, context),
      }),
      failedChecks: t.field({
        type: [CertificationCheckRef],
        resolve: ({ certificationId }, _arguments, context) => failedChecksOf(certificationId, context),
      }),
    }),
  });

export const AttemptClosedRef = builder.objectRef<Refusals.AttemptClosed>("AttemptClosed").implement({
  description: "The attempt has ended in another way.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ attempt: t.field({ type: AttemptRef, resolve: attemptOf }) }),
});

export const LookupUnavailableRef = builder.objectRef<Refusals.LookupUnavailable>("LookupUnavailable").implement({
  description: "The provider offers no look-up, or cannot be reached.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ attempt: t.field({ type: AttemptRef, resolve: attemptOf }) }),
});

export const LeaseLostRef = builder.objectRef<Refusals.LeaseLost>("LeaseLost").implement({
  description:
    "The token is not the one under which the attempt was claimed. A lease that ran out is not lost: its token still settles the UNKNOWN attempt.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ attempt: t.field({ type: AttemptRef, resolve: attemptOf }) }),
});

export const ResultDiscardedRef = builder.objectRef<Refusals.ResultDiscarded>("ResultDiscarded").implement({
  description:
    "The compare-and-swap changed no row: the slot was taken, or the attempt had been fenced off. The result is gone.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    job: t.field({ type: JobRef, resolve: jobOf }),
    attempt: t.field({ type: AttemptRef, resolve: attemptOf }),
    winner: t.field({
      type: AttemptRef,
      nullable: true,
      description: "The attempt that holds the slot, if one does.",
      resolve: ({ winnerId }, _arguments, context) => (winnerId === null ? null : loadAttempt(context, winnerId)),
    }),
  }),
});

export const ResultRejectedRef = builder.objectRef<Refusals.ResultRejected>("ResultRejected").implement({
  description:
    "The result breaks the operation's output schema or rules, so the attempt is FAILED. (One that cannot be stored is InvalidInput: nothing was written, send it again in a form that can.)",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    job: t.field({ type: JobRef, resolve: jobOf }),
    attempt: t.field({ type: AttemptRef, resolve: attemptOf }),
    issues: t.expose("issues", { type: [InputIssueRef] }),
  }),
});

export const KeyInUseRef = builder.objectRef<Refusals.KeyInUse>("KeyInUse").implement({
  description: "The key's job has not been purged.",
  interfaces: [UserErrorRef],
  fields: (t) => ({ job: t.field({ type: JobRef, resolve: jobOf }) }),
});
