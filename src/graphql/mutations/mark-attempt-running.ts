/** The mutation markAttemptRunning: a worker says that the provider has taken the request. */
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import type { Member } from "../refusals.ts";
import { AttemptRef } from "../types/refs.ts";
import * as Types from "../types/refusals.ts";
import { attemptOf } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { textIssues } from "./check-text.ts";
import { prepareReport, refuseReport } from "./report.ts";

const MarkAttemptRunningInput = builder.inputType("MarkAttemptRunningInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    leaseToken: t.string({ required: true }),
    providerRequestId: t.string(),
  }),
});

type Success = Member<"MarkAttemptRunningSuccess", { readonly attemptId: string }>;

const MarkAttemptRunningSuccessRef = builder.objectRef<Success>("MarkAttemptRunningSuccess").implement({
  fields: (t) => ({ attempt: t.field({ type: AttemptRef, resolve: attemptOf }) }),
});

const MarkAttemptRunningResult = builder.unionType("MarkAttemptRunningResult", {
  types: [
    MarkAttemptRunningSuccessRef,
    Types.AttemptClosedRef,
    Types.LeaseLostRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

async function markAttemptRunning(input: typeof MarkAttemptRunningInput.$inferInput, context: RequestContext) {
  const { providerRequestId = null } = input;
  const report = prepareReport(
    context,
    input,
    textIssues("/providerRequestId", providerRequestId, { min: 1, max: 1_000 }),
  );
  if ("__typename" in report) return report;
  const said = await context.store.markRunning({ ...report, providerRequestId });
  if (said.kind !== "running") return refuseReport(context, said);
  return { __typename: "MarkAttemptRunningSuccess" as const, attemptId: said.attemptId };
}

builder.mutationField("markAttemptRunning", (t) =>
  t.field({
    type: MarkAttemptRunningResult,
    description: "Workers: the provider has taken the request.",
    args: { input: t.arg({ type: MarkAttemptRunningInput, required: true }) },
    resolve: (_root, { input }, context) => answerAfter(context, markAttemptRunning(input, context)),
  }),
);
