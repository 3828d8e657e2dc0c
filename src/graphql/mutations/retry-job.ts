/** The mutation retryJob: starts the attempt after the one that the caller saw end. The store decides; this asks and explains. */
import type { Actor } from "../../domain/event.ts";
import { termsFor } from "../../domain/terms.ts";
import type { RetryJobAnswer } from "../../store/commands.ts";
import { decodeId } from "../../store/ids.ts";
import { isOperator, mayName, requireOwnerOperatorOrJobToken, scopeOf } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";
import { type AboutAttempt, invalidInput, jobClosed, type Member, notFound } from "../refusals.ts";
import * as Types from "../types/refusals.ts";
import { jobAndAttempt } from "../types/successes.ts";
import { quoted } from "../wording.ts";
import { actingOnJob } from "./acting-as.ts";
import { answerAfter } from "./answer-after.ts";
import { reasonIssues } from "./check-text.ts";
import { droppedIssue, providerIssues } from "./provider-issues.ts";

const RetryJobInput = builder.inputType("RetryJobInput", {
  fields: (t) => ({
    jobId: t.id({ required: true }),
    afterAttemptId: t.id({
      required: true,
      description: "The attempt that the caller saw end. Makes a second click harmless.",
    }),
    provider: t.string({ description: "Another provider than the last attempt's; it must be certified." }),
    overrideGate: t.boolean({
      required: true,
      defaultValue: false,
      description:
        "Operators: start on that provider without a certification. Needs a reason; the attempt and its event say who did.",
    }),
    reason: t.string(),
  }),
});

type Input = typeof RetryJobInput.$inferInput;

const RetryJobResult = builder.unionType("RetryJobResult", {
  types: [
    jobAndAttempt("RetryJobSuccess"),
    Types.AttemptInFlightRef,
    Types.RetryOutdatedRef,
    Types.JobClosedRef,
    Types.ProviderNotCertifiedRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

async function retryJob(input: Input, context: RequestContext) {
  const { catalog, store, viewer } = context;
  if (input.overrideGate && !isOperator(viewer)) {
    throw forbidden("Only an operator may start an attempt without a certification: leave overrideGate out.");
  }
  const issues = [...(await providerIssues(input, context)), ...overrideIssues(input), ...reasonIssues(input.reason)];
  if (issues.length > 0) return invalidInput(issues);
  const jobId = decodeId("job", input.jobId);
  const afterAttemptId = decodeId("att", input.afterAttemptId);
  if (jobId === null || !mayName(viewer, jobId)) return notFound("job");
  if (afterAttemptId === null) return notFound("attempt");
  const override = input.overrideGate ? { by: viewer.ownerId, reason: input.reason ?? "" } : null;
  const operator: Actor = { cause: "OPERATOR", name: viewer.ownerId };
  const answer = await store.retryJob({
    jobId,
    scope: scopeOf(viewer),
    afterAttemptId,
    provider: input.provider ?? null,
    termsFor: (operation, provider) => termsFor(catalog, operation, provider),
    override,
    reason: input.reason ?? null,
    actor: override === null ? await actingOnJob(context, jobId) : operator,
  });
  return explain(answer, input, context);
}

function overrideIssues({ overrideGate, reason }: Input) {
  if (!overrideGate || (typeof reason === "string" && reason.trim() !== "")) return [];
  return [{ path: "/reason", message: "Starting without a certification needs a reason: say why." }];
}

function explain(answer: RetryJobAnswer, input: Input, context: RequestContext) {
  switch (answer.kind) {
    case "started":
      return about("RetryJobSuccess", answer.jobId, answer.attemptId);
    case "in-flight":
      return {
        ...about("AttemptInFlight", answer.jobId, answer.attemptId),
        message:
          "An attempt at this job is under way, or its outcome is not known yet. Wait for its end, or have it cancelled, before you retry.",
      };
    case "outdated":
      return {
        ...about("RetryOutdated", answer.jobId, answer.latestAttemptId),
        message:
          "A newer attempt than the one you named has ended meanwhile. Look at it, and name it if you still want to retry.",
      };
    case "closed":
      return jobClosed(answer.jobId, "there is nothing to retry.");
    case "purged":
      return invalidInput([
        { path: "/jobId", message: "Retention has removed the job's input: there is nothing to try again with." },
      ]);
    case "not-certified": {
      const { provider, reason, certificationId } = answer;
      const message = `The provider ${quoted(provider)} may not take this operation over (${reason}). Have it certified, or choose another one.`;
      return { __typename: "ProviderNotCertified" as const, message, provider, reason, certificationId };
    }
    case "dropped":
      return invalidInput([droppedIssue(answer, input, context)]);
    default:
      return notFound("job");
  }
}

function about<Name extends string>(name: Name, jobId: string, attemptId: string): Member<Name, AboutAttempt> {
  return { __typename: name, jobId, attemptId };
}

builder.mutationField("retryJob", (t) =>
  t.field({
    type: RetryJobResult,
    description: "Starts the attempt after the one named. Asked twice, it starts one.",
    args: { input: t.arg({ type: RetryJobInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireOwnerOperatorOrJobToken(context);
      return answerAfter(context, retryJob(input, context));
    },
  }),
);
