/** The mutation createJobs: many intents at once, each answered as createJob would. It is no transaction. */
import { requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { type InvalidInput, invalidInput, type Member } from "../refusals.ts";
import { InvalidInputRef } from "../types/refusals.ts";
import { answerAfter } from "./answer-after.ts";
import { CreateJobInput, CreateJobResult } from "./create-job.ts";
import type { KeyRead } from "./read-idempotency-key.ts";
import { type CreateJobAnswer, prepareIntent, recordIntent } from "./record-intent.ts";
import { takePlaces } from "./take-places.ts";

const CreateJobsInput = builder.inputType("CreateJobsInput", {
  fields: (t) => ({ jobs: t.field({ type: [CreateJobInput], required: true }) }),
});

/** The Idempotency-Key header stands for one createJob, never for one of many. */
function readKey(key: string | null | undefined): KeyRead {
  if (key !== null && key !== undefined) return { key };
  const message =
    "Each job of createJobs has an idempotency key of its own in the input: the header stands for none of them.";
  return { issue: { path: "/idempotencyKey", message } };
}

type CreateJobsSuccess = Member<"CreateJobsSuccess", { readonly results: readonly CreateJobAnswer[] }>;

const CreateJobsSuccessRef = builder.objectRef<CreateJobsSuccess>("CreateJobsSuccess").implement({
  fields: (t) => ({ results: t.field({ type: [CreateJobResult], resolve: ({ results }) => results }) }),
});

const CreateJobsResult = builder.unionType("CreateJobsResult", { types: [CreateJobsSuccessRef, InvalidInputRef] });

async function createJobs(
  { jobs }: typeof CreateJobsInput.$inferInput,
  context: RequestContext,
): Promise<CreateJobsSuccess | InvalidInput> {
  const { batchSize } = context.limits;
  if (jobs.length > batchSize) {
    return invalidInput([
      {
        path: "/jobs",
        message: `There are ${jobs.length} jobs: give at most ${batchSize} at once (limits.batchSize).`,
      },
    ]);
  }
  const prepared = await Promise.all(
    jobs.map((job, index) => prepareIntent(context, readKey(job.idempotencyKey), job, `/jobs/${index}`)),
  );
  await takePlaces(context, prepared);
  const results = await Promise.all(prepared.map((one) => recordIntent(context, one)));
  return { __typename: "CreateJobsSuccess", results };
}

builder.mutationField("createJobs", (t) =>
  t.field({
    type: CreateJobsResult,
    description: "Up to 1,000 at once, each with its own key and its own answer, in order.",
    args: { input: t.arg({ type: CreateJobsInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireOwnerOrOperator(context);
      return answerAfter(context, createJobs(input, context));
    },
  }),
);
