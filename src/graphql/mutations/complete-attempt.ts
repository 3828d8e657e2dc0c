/** The mutation completeAttempt: a worker hands a result in. Whether it wins is the store's to say; whether it conforms, the operation's. */

import { failurePolicyOf } from "../../domain/failure-policy.ts";
import type { Json } from "../../domain/json.ts";
import { failureCodes } from "../../domain/outcome.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import type { WorkerReport } from "../../store/worker-commands.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { type AboutAttempt, type Member, type ResultRejected, resultDiscarded } from "../refusals.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { outputIssues, storageIssues } from "./judge-result.ts";
import { prepareReport, refuseReport } from "./report.ts";

const CompleteAttemptInput = builder.inputType("CompleteAttemptInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    leaseToken: t.string({ required: true }),
    result: t.field({
      type: "JSON",
      description: "Null, or left out, is a result like any other: the operation's output schema judges it.",
    }),
  }),
});

const CompleteAttemptResult = builder.unionType("CompleteAttemptResult", {
  types: [
    jobAndAttempt("CompleteAttemptSuccess"),
    Types.ResultDiscardedRef,
    Types.ResultRejectedRef,
    Types.LeaseLostRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

async function completeAttempt(input: typeof CompleteAttemptInput.$inferInput, context: RequestContext) {
  const { result = null } = input;
  const report = prepareReport(context, input, storageIssues(result));
  if ("__typename" in report) return report;
  const faults = await judgeResult(context, report, result);
  return (faults.length > 0 && (await reject(context, report, faults))) || settle(context, report, result);
}

/** The faults of the result by the operation as configured now; none where there is nothing to judge it by. */
async function judgeResult(context: RequestContext, report: WorkerReport, result: Json): Promise<InputIssue[]> {
  const [attempt] = await context.store.read.attempts([report.attemptId], null);
  // What this token may not see is not judged either: the store answers that it is not there.
  if (attempt === undefined || report.providers?.includes(attempt.provider) === false) return [];
  return outputIssues(context, attempt.jobId, result);
}

/** Fails the attempt over its result; null where the attempt had ended in another way, so that the result is merely late. */
async function reject(context: RequestContext, report: WorkerReport, issues: readonly InputIssue[]) {
  const [first] = issues;
  const message = `The result breaks the operation's output schema or rules. ${first?.path ?? ""}: ${first?.message ?? ""}`;
  const said = await context.store.failAttempt({
    ...report,
    certain: true,
    failure: {
      code: failureCodes.nonconformingResult,
      message: message.slice(0, 4_000).toWellFormed(),
      remedy: "NONE",
    },
    effectUncertain: true,
    policy: failurePolicyOf(context.catalog),
  });
  if (said.kind === "not-found" || said.kind === "lease-lost") return refuseReport(context, said);
  const isRecorded = said.kind === "recorded" && !said.repeated;
  return isRecorded || (await wasRejected(context, said.attemptId)) ? rejected(said, issues) : null;
}

async function wasRejected({ store }: RequestContext, attemptId: string): Promise<boolean> {
  const [attempt] = await store.read.attempts([attemptId], null);
  return attempt?.state === "FAILED" && attempt.failure?.code === failureCodes.nonconformingResult;
}

function rejected({ jobId, attemptId }: AboutAttempt, issues: readonly InputIssue[]): ResultRejected {
  const message =
    "The result breaks the operation's output schema or rules, so the attempt has failed. Mend the worker: the same result will not be taken.";
  return { __typename: "ResultRejected", message, jobId, attemptId, issues };
}

async function settle(context: RequestContext, report: WorkerReport, result: Json) {
  const said = await context.store.completeAttempt({ ...report, result });
  switch (said.kind) {
    case "completed":
      return success(said);
    case "discarded":
      return resultDiscarded(
        said,
        "The result came too late and was thrown away: the job has another winner, or this attempt was declared over. Stop working on it.",
      );
    default:
      return refuseReport(context, said);
  }
}

function success({ jobId, attemptId }: AboutAttempt): Member<"CompleteAttemptSuccess", AboutAttempt> {
  return { __typename: "CompleteAttemptSuccess", jobId, attemptId };
}

builder.mutationField("completeAttempt", (t) =>
  t.field({
    type: CompleteAttemptResult,
    description: "Workers: hand in a result. Exactly one wins.",
    args: { input: t.arg({ type: CompleteAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => answerAfter(context, completeAttempt(input, context)),
  }),
);
