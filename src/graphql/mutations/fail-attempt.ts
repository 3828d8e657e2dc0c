/** The mutation failAttempt: a worker hands a failure in, certain or not. What follows by itself, the store decides. */
import { failurePolicyOf } from "../../domain/failure-policy.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { CertaintyEnum, RemedyEnum } from "../types/enums.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { textIssues } from "./check-text.ts";
import { prepareReport, refuseReport } from "./report.ts";

const FailAttemptInput = builder.inputType("FailAttemptInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    leaseToken: t.string({ required: true }),
    certainty: t.field({
      type: CertaintyEnum,
      required: true,
      description: "DEFINITE: nothing happened at the provider, or it said no. UNCERTAIN: it may have happened.",
    }),
    code: t.string({ required: true }),
    message: t.string({ required: true }),
    remedy: t.field({ type: RemedyEnum, required: true, defaultValue: "SAME_PROVIDER" }),
  }),
});

const FailAttemptResult = builder.unionType("FailAttemptResult", {
  types: [
    jobAndAttempt("FailAttemptSuccess"),
    Types.AttemptClosedRef,
    Types.LeaseLostRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

async function failAttempt(input: typeof FailAttemptInput.$inferInput, context: RequestContext) {
  const { certainty, code, message, remedy } = input;
  const report = prepareReport(context, input, [
    ...textIssues("/code", code, { min: 1, max: 100 }),
    ...textIssues("/message", message, { max: 4_000 }),
  ]);
  if ("__typename" in report) return report;
  const certain = certainty === "DEFINITE";
  const said = await context.store.failAttempt({
    ...report,
    certain,
    failure: { code, message, remedy },
    effectUncertain: !certain,
    policy: failurePolicyOf(context.catalog),
  });
  if (said.kind !== "recorded") return refuseReport(context, said);
  return { __typename: "FailAttemptSuccess" as const, jobId: said.jobId, attemptId: said.attemptId };
}

builder.mutationField("failAttempt", (t) =>
  t.field({
    type: FailAttemptResult,
    description: "Workers: hand in a failure, certain or not.",
    args: { input: t.arg({ type: FailAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => answerAfter(context, failAttempt(input, context)),
  }),
);
