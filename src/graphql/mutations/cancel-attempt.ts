/** The mutation cancelAttempt: declares from outside that an attempt is over. The store decides; this asks and explains. */
import { decodeId } from "../../store/ids.ts";
import { isOperator, requireOwnerOperatorOrJobToken, scopeOf } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";
import { attemptClosed, invalidInput, notFound } from "../refusals.ts";
import { AttemptClosedRef, InvalidInputRef, NotFoundRef } from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { actingOnAttempt } from "./acting-as.ts";
import { answerAfter } from "./answer-after.ts";
import { reasonIssues } from "./check-text.ts";

const CancelAttemptInput = builder.inputType("CancelAttemptInput", {
  fields: (t) => ({ attemptId: t.id({ required: true }), reason: t.string() }),
});

const CancelAttemptResult = builder.unionType("CancelAttemptResult", {
  types: [
    jobAndAttempt("CancelAttemptSuccess", "Also the answer to a repeated cancellation."),
    AttemptClosedRef,
    InvalidInputRef,
    NotFoundRef,
  ],
});

/** At which job an attempt is never changes, so a job token's may be looked up before the act. Of others the verb says it all. */
async function mayNameAttempt(attemptId: string, { loaders, viewer }: RequestContext): Promise<boolean> {
  return viewer.onlyJob === null || (await loaders.visibleAttempt.load(attemptId)) !== null;
}

async function cancelAttempt(input: typeof CancelAttemptInput.$inferInput, context: RequestContext) {
  const { catalog, store, viewer } = context;
  const issues = reasonIssues(input.reason);
  if (issues.length > 0) return invalidInput(issues);
  const attemptId = decodeId("att", input.attemptId);
  if (attemptId === null || !(await mayNameAttempt(attemptId, context))) return notFound("attempt");
  const answer = await store.cancelAttempt({
    attemptId,
    scope: scopeOf(viewer),
    isOperator: isOperator(viewer),
    ownerMayCancel: (operation) => catalog.operations.get(operation)?.cancelAttempt === "owner",
    reason: input.reason ?? null,
    actor: await actingOnAttempt(context, attemptId),
  });
  switch (answer.kind) {
    case "cancelled":
      if (!answer.repeated) context.cancelAtProvider(answer.attemptId);
      return { __typename: "CancelAttemptSuccess" as const, jobId: answer.jobId, attemptId: answer.attemptId };
    case "closed":
      return attemptClosed(answer.attemptId, "there is nothing to cancel.");
    case "operators-only":
      throw forbidden(
        "A worker has this attempt, and it may still act at its provider: only an operator may declare it over, since that frees the job for another one. Wait for its end, or ask an operator.",
      );
    default:
      return notFound("attempt");
  }
}

builder.mutationField("cancelAttempt", (t) =>
  t.field({
    type: CancelAttemptResult,
    description:
      "Declares from outside that an attempt is over. Frees the job for another attempt and fences this one off. Once a worker has it, only an operator may, unless the operation lets its owner (PURE operations do).",
    args: { input: t.arg({ type: CancelAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireOwnerOperatorOrJobToken(context);
      return answerAfter(context, cancelAttempt(input, context));
    },
  }),
);
