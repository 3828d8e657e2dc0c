/** The mutation cancelJob: withdraws the intent with its live attempt. The store decides; this asks and explains. */
import { decodeId } from "../../store/ids.ts";
import { mayName, requireOwnerOperatorOrJobToken, scopeOf } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { type AboutJob, invalidInput, jobClosed, type Member, notFound } from "../refusals.ts";
import { JobRef } from "../types/refs.ts";
import { InvalidInputRef, JobClosedRef, NotFoundRef } from "../types/refusals.ts";
import { jobOf } from "../types/successes.ts";
import { actingOnJob } from "./acting-as.ts";
import { answerAfter } from "./answer-after.ts";
import { reasonIssues } from "./check-text.ts";

const CancelJobInput = builder.inputType("CancelJobInput", {
  fields: (t) => ({ jobId: t.id({ required: true }), reason: t.string() }),
});

const CancelJobSuccessRef = builder.objectRef<Member<"CancelJobSuccess", AboutJob>>("CancelJobSuccess").implement({
  description: "Also the answer to a repeated cancellation.",
  fields: (t) => ({ job: t.field({ type: JobRef, resolve: jobOf }) }),
});

const CancelJobResult = builder.unionType("CancelJobResult", {
  types: [CancelJobSuccessRef, JobClosedRef, InvalidInputRef, NotFoundRef],
});

async function cancelJob(input: typeof CancelJobInput.$inferInput, context: RequestContext) {
  const issues = reasonIssues(input.reason);
  if (issues.length > 0) return invalidInput(issues);
  const jobId = decodeId("job", input.jobId);
  if (jobId === null || !mayName(context.viewer, jobId)) return notFound("job");
  const actor = await actingOnJob(context, jobId);
  const reason = input.reason ?? null;
  const answer = await context.store.cancelJob({ jobId, scope: scopeOf(context.viewer), reason, actor });
  switch (answer.kind) {
    case "cancelled":
      if (answer.cancelledAttemptId !== null) context.cancelAtProvider(answer.cancelledAttemptId);
      return { __typename: "CancelJobSuccess" as const, jobId: answer.jobId };
    case "closed":
      return jobClosed(answer.jobId, "there is nothing to withdraw.");
    default:
      return notFound("job");
  }
}

builder.mutationField("cancelJob", (t) =>
  t.field({
    type: CancelJobResult,
    description: "Withdraws the intent, with every live attempt.",
    args: { input: t.arg({ type: CancelJobInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireOwnerOperatorOrJobToken(context);
      return answerAfter(context, cancelJob(input, context));
    },
  }),
);
