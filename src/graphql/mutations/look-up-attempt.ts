/** The mutation lookUpAttempt: has the provider asked what became of an attempt. The runtime asks and settles; this explains. */
import { decodeId } from "../../store/ids.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { attemptClosed, invalidInput, notFound } from "../refusals.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { reasonIssues } from "./check-text.ts";

const LookUpAttemptInput = builder.inputType("LookUpAttemptInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    reason: t.string({ description: "Why it was asked for; kept in the audit log." }),
  }),
});

const LookUpAttemptResult = builder.unionType("LookUpAttemptResult", {
  types: [
    jobAndAttempt(
      "LookUpAttemptSuccess",
      "The provider was asked; the attempt's state says what was learnt, UNKNOWN if nothing.",
    ),
    Types.LookupUnavailableRef,
    Types.AttemptClosedRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

const unavailable = {
  "not-started": "No worker has had this attempt yet, so its provider knows nothing of it.",
  "no-look-up":
    "The provider offers no look-up, or is not configured any more: find out elsewhere, and resolve the attempt.",
  unreachable: "The provider could not be reached, or did not answer in time. Ask again later.",
} as const;

async function lookUpAttempt(input: typeof LookUpAttemptInput.$inferInput, { lookUp, viewer }: RequestContext) {
  const issues = reasonIssues(input.reason);
  if (issues.length > 0) return invalidInput(issues);
  const attemptId = decodeId("att", input.attemptId);
  if (attemptId === null) return notFound("attempt");
  const answer = await lookUp(attemptId, { cause: "OPERATOR", name: viewer.ownerId }, input.reason ?? null);
  switch (answer.kind) {
    case "asked":
      return { __typename: "LookUpAttemptSuccess" as const, jobId: answer.jobId, attemptId: answer.attemptId };
    case "unavailable":
      return { __typename: "LookupUnavailable" as const, message: unavailable[answer.why], attemptId };
    case "closed":
      return attemptClosed(attemptId, "there is nothing to find out.");
    default:
      return notFound("attempt");
  }
}

builder.mutationField("lookUpAttempt", (t) =>
  t.field({
    type: LookUpAttemptResult,
    description:
      "Operators: ask the provider now what became of an attempt. The answer settles it, as the reconciler's would.",
    args: { input: t.arg({ type: LookUpAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OPERATOR");
      return answerAfter(context, lookUpAttempt(input, context));
    },
  }),
);
