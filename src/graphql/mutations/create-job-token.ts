/** The mutation createJobToken: a token for a browser that follows one job. The server signs it; nothing is written. */
import { decodeId } from "../../store/ids.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { jobTokensNotConfigured } from "../errors.ts";
import { invalidInput, type Member, notFound } from "../refusals.ts";
import { InvalidInputRef, NotFoundRef } from "../types/refusals.ts";
import { rangeIssues } from "./check-text.ts";

const lifeSeconds = { least: 60, byDefault: 900, most: 86_400 };

const CreateJobTokenInput = builder.inputType("CreateJobTokenInput", {
  fields: (t) => ({
    jobId: t.id({ required: true, description: "One of the caller's own jobs, in whatever state." }),
    mayRetry: t.boolean({
      required: true,
      defaultValue: false,
      description: "Whether the token may call retryJob, as the owner: never with overrideGate.",
    }),
    mayCancel: t.boolean({
      required: true,
      defaultValue: false,
      description: "Whether it may call cancelJob and cancelAttempt, as the owner.",
    }),
    expiresInSeconds: t.int({
      required: true,
      defaultValue: lifeSeconds.byDefault,
      description: `${lifeSeconds.least} to 86,400, a day.`,
    }),
  }),
});

type Input = typeof CreateJobTokenInput.$inferInput;
type Success = Member<"CreateJobTokenSuccess", { readonly token: string; readonly expiresAt: Date }>;

const CreateJobTokenSuccessRef = builder.objectRef<Success>("CreateJobTokenSuccess").implement({
  fields: (t) => ({
    token: t.exposeString("token", {
      description: "Sent as every other token: authorization: Bearer TOKEN, over WebSocket in connectionParams.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "By the server's clock." }),
  }),
});

const CreateJobTokenResult = builder.unionType("CreateJobTokenResult", {
  types: [CreateJobTokenSuccessRef, InvalidInputRef, NotFoundRef],
});

async function createJobToken(input: Input, context: RequestContext) {
  const { loaders, signJobToken, viewer } = context;
  if (signJobToken === null) throw jobTokensNotConfigured();
  const { expiresInSeconds, mayCancel, mayRetry } = input;
  const issues = rangeIssues("/expiresInSeconds", expiresInSeconds, lifeSeconds.least, lifeSeconds.most);
  if (issues.length > 0) return invalidInput(issues);
  const jobId = decodeId("job", input.jobId);
  const job = jobId === null ? null : await loaders.visibleJob.load(jobId);
  // An operator sees every owner's job, and speaks in nobody's name.
  if (job === null || job.ownerId !== viewer.ownerId) return notFound("job");
  const grant = { jobId: job.id, mayRetry, mayCancel };
  const signed = await signJobToken({ ownerId: viewer.ownerId, job: grant, expiresInSeconds });
  return { __typename: "CreateJobTokenSuccess" as const, ...signed };
}

builder.mutationField("createJobToken", (t) =>
  t.field({
    type: CreateJobTokenResult,
    description:
      "A short-lived token that follows one of the caller's own jobs, for a browser that must not have the owner's own. It may ask for viewer (which names the owner, and no role), for job, attempt and node with that job and its attempts, for jobUpdated, jobEvents and attemptUpdated, and for what the input allows; every other field is FORBIDDEN to it, this one included, and another job is not there. It sees of its job what the owner sees, metadata, attempts and events among it, and nothing of the configuration: operation, provider and certification are null, the provider that a refusal names has its id and name alone, and failedChecks is empty. What it does is recorded as the owner's act, with jobToken: true in the event's detail. A token that is out lasts until it expires, or until its secret leaves the configuration.",
    args: { input: t.arg({ type: CreateJobTokenInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OWNER");
      return createJobToken(input, context);
    },
  }),
);
