/** The mutation resolveAttempt: an operator settles an attempt whose outcome was found out elsewhere. The store decides; this judges the input and explains. */
import { failureCodes } from "../../domain/outcome.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import { decodeId } from "../../store/ids.ts";
import type { FoundOutcome, ResolveAttemptAnswer } from "../../store/operator-commands.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { attemptClosed, invalidInput, notFound, resultDiscarded } from "../refusals.ts";
import { RemedyEnum, ResolvedOutcomeEnum } from "../types/enums.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { requiredTextIssues } from "./check-text.ts";
import { outputIssues, storageIssues } from "./judge-result.ts";

const ResolveAttemptInput = builder.inputType("ResolveAttemptInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    outcome: t.field({ type: ResolvedOutcomeEnum, required: true }),
    result: t.field({ type: "JSON", description: "With SUCCEEDED: the result that the provider produced." }),
    remedy: t.field({
      type: RemedyEnum,
      required: true,
      defaultValue: "NONE",
      description: "With FAILED, for whoever retries by hand: nothing follows by itself.",
    }),
    evidence: t.string({
      required: true,
      description: "How the outcome was found out; kept in the job's events.",
    }),
  }),
});

type Input = typeof ResolveAttemptInput.$inferInput;

const ResolveAttemptResult = builder.unionType("ResolveAttemptResult", {
  types: [
    jobAndAttempt("ResolveAttemptSuccess"),
    Types.ResultDiscardedRef,
    Types.AttemptClosedRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

function inputIssues({ outcome, result = null, evidence }: Input): InputIssue[] {
  const issues = requiredTextIssues("/evidence", evidence, 4_000);
  if (outcome === "SUCCEEDED") return [...issues, ...storageIssues(result)];
  if (result === null) return issues;
  return [...issues, { path: "/result", message: "An attempt that is resolved FAILED has no result: leave it out." }];
}

function outcomeOf({ outcome, result = null, remedy, evidence }: Input): FoundOutcome {
  if (outcome === "SUCCEEDED") return { kind: "SUCCEEDED", result };
  const failure = { code: failureCodes.resolvedFailed, message: evidence, remedy };
  // A worker had it, and somebody's word that it failed is no proof that nothing happened.
  return { kind: "FAILED", failure, effectUncertain: true };
}

async function resolveAttempt(input: Input, context: RequestContext) {
  const issues = inputIssues(input);
  if (issues.length > 0) return invalidInput(issues);
  const attemptId = decodeId("att", input.attemptId);
  const attempt = attemptId === null ? null : await context.loaders.attempt.load(attemptId);
  if (attempt === null) return notFound("attempt");
  const outcome = outcomeOf(input);
  const faults = outcome.kind === "SUCCEEDED" ? await outputIssues(context, attempt.jobId, outcome.result) : [];
  if (faults.length > 0) return invalidInput(faults);
  const answer = await context.store.resolveAttempt({
    attemptId: attempt.id,
    outcome,
    evidence: input.evidence,
    action: "resolveAttempt",
    actor: { cause: "OPERATOR", name: context.viewer.ownerId },
  });
  return explain(answer);
}

function explain(answer: ResolveAttemptAnswer) {
  switch (answer.kind) {
    case "resolved":
      return { __typename: "ResolveAttemptSuccess" as const, jobId: answer.jobId, attemptId: answer.attemptId };
    case "discarded":
      return resultDiscarded(
        answer,
        "The result came too late and was thrown away: the job has another winner, or this attempt was declared over.",
      );
    case "closed":
      return attemptClosed(answer.attemptId, "it has ended in another way than you say.");
    case "not-started":
      return invalidInput([
        { path: "/attemptId", message: "No worker has had this attempt, so nothing came of it. To end it, cancel it." },
      ]);
    default:
      return notFound("attempt");
  }
}

builder.mutationField("resolveAttempt", (t) =>
  t.field({
    type: ResolveAttemptResult,
    description: "An operator settles an attempt whose outcome was found out elsewhere.",
    args: { input: t.arg({ type: ResolveAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OPERATOR");
      return answerAfter(context, resolveAttempt(input, context));
    },
  }),
);
