/**
 * The mutations that the contract promises and this version does not carry out: their names, inputs and answers are fixed,
 * and calling one says NOT_AVAILABLE_YET. One that is built moves to a file of its own.
 */
import type { InputRef, UnionRef } from "@pothos/core";
import type { Job } from "../../domain/job.ts";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { notAvailableYet } from "../errors.ts";
import type { Member } from "../refusals.ts";
import { JobFilterInput } from "../types/filters.ts";
import { CertificationRef, JobRef } from "../types/refs.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";

type SchemaTypes = typeof builder.$inferSchemaTypes;

function promised(
  name: string,
  description: string | undefined,
  input: InputRef<object>,
  answer: UnionRef<SchemaTypes, object>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: answer,
      ...(description !== undefined && { description }),
      args: { input: t.arg({ type: input, required: true }) },
      resolve: () => {
        throw notAvailableYet(name);
      },
    }),
  );
}

function withCertification<Name extends string>(name: Name) {
  return builder.objectRef<Member<Name, { readonly certification: Certification }>>(name).implement({
    fields: (t) => ({
      certification: t.field({ type: CertificationRef, resolve: ({ certification }) => certification }),
    }),
  });
}

type CancelJobsSuccess = Member<"CancelJobsSuccess", { readonly jobs: readonly Job[]; readonly hasMore: boolean }>;

const CancelJobsSuccessRef = builder.objectRef<CancelJobsSuccess>("CancelJobsSuccess").implement({
  fields: (t) => ({
    jobs: t.expose("jobs", {
      type: [JobRef],
      description: "Those that this call withdrew. Jobs that closed meanwhile are not among them.",
    }),
    hasMore: t.exposeBoolean("hasMore", { description: "Whether the filter still matches open jobs: ask again." }),
  }),
});

promised(
  "cancelJobs",
  "Withdraws every open job that the filter matches, oldest first, in one go: the caller's own, an operator's of every owner.",
  builder.inputType("CancelJobsInput", {
    fields: (t) => ({
      filter: t.field({ type: JobFilterInput, required: true, description: "At least one condition." }),
      limit: t.int({ required: true, defaultValue: 100, description: "At most 1,000." }),
      reason: t.string({ required: true }),
    }),
  }),
  builder.unionType("CancelJobsResult", { types: [CancelJobsSuccessRef, Types.InvalidInputRef] }),
);

promised(
  "lookUpAttempt",
  "Operators: ask the provider now what became of an attempt. The answer settles it, as the reconciler's would.",
  builder.inputType("LookUpAttemptInput", { fields: (t) => ({ attemptId: t.id({ required: true }) }) }),
  builder.unionType("LookUpAttemptResult", {
    types: [
      jobAndAttempt(
        "LookUpAttemptSuccess",
        "The provider was asked; the attempt's state says what was learnt, UNKNOWN if nothing.",
      ),
      Types.LookupUnavailableRef,
      Types.AttemptClosedRef,
      Types.NotFoundRef,
    ],
  }),
);

promised(
  "certifyProvider",
  "Operators: run an operation's contract against a provider.",
  builder.inputType("CertifyProviderInput", {
    fields: (t) => ({ operation: t.string({ required: true }), provider: t.string({ required: true }) }),
  }),
  builder.unionType("CertifyProviderResult", {
    types: [withCertification("CertifyProviderSuccess"), Types.InvalidInputRef],
  }),
);

promised(
  "revokeCertification",
  "Operators: withdraw a certification.",
  builder.inputType("RevokeCertificationInput", {
    fields: (t) => ({ certificationId: t.id({ required: true }), reason: t.string({ required: true }) }),
  }),
  builder.unionType("RevokeCertificationResult", {
    types: [withCertification("RevokeCertificationSuccess"), Types.InvalidInputRef, Types.NotFoundRef],
  }),
);
