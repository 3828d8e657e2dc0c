/** The mutation createJob: its input, its answers and its field. The intent is recorded in record-intent.ts. */

import { requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { JobRef } from "../types/refs.ts";
import { IdempotencyConflictRef, InvalidInputRef } from "../types/refusals.ts";
import { jobOf } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { type KeyRead, readIdempotencyKey } from "./read-idempotency-key.ts";
import {
  type CreateJobAnswer,
  type CreateJobSuccess,
  type IntentRequest,
  prepareIntent,
  recordIntent,
} from "./record-intent.ts";
import { takePlaces } from "./take-places.ts";

export const CreateJobInput = builder.inputType("CreateJobInput", {
  fields: (t) => ({
    idempotencyKey: t.string({
      description:
        "1 to 255 characters, taken as they are. May be given in the Idempotency-Key header instead; given in both, the two must be equal.",
    }),
    operation: t.string({ required: true }),
    provider: t.string({ description: "Defaults to the operation's first provider." }),
    fallbackProviders: t.stringList({
      description:
        "Tried in order after a definite failure, and only if certified. Defaults to the operation's own list.",
    }),
    input: t.field({ type: "JSON", required: true }),
    metadata: t.field({ type: "JSON", description: "Labels for the caller's own use; not part of the intent." }),
    notBefore: t.field({ type: "DateTime", description: "Not part of the intent: no attempt starts before." }),
    priority: t.int({
      required: true,
      defaultValue: 0,
      description: "Not part of the intent: higher goes first, -100 to 100.",
    }),
  }),
});

const CreateJobSuccessRef = builder.objectRef<CreateJobSuccess>("CreateJobSuccess").implement({
  fields: (t) => ({
    job: t.field({ type: JobRef, resolve: jobOf }),
    created: t.exposeBoolean("created", {
      description: "False when the key had recorded this very intent before.",
    }),
  }),
});

export const CreateJobResult = builder.unionType("CreateJobResult", {
  types: [CreateJobSuccessRef, IdempotencyConflictRef, InvalidInputRef],
});

async function createJob(context: RequestContext, key: KeyRead, input: IntentRequest): Promise<CreateJobAnswer> {
  const prepared = await prepareIntent(context, key, input);
  await takePlaces(context, [prepared]);
  return recordIntent(context, prepared);
}

builder.mutationField("createJob", (t) =>
  t.field({
    type: CreateJobResult,
    description: "Records an intent once. The same key and input again answer with the same job.",
    args: { input: t.arg({ type: CreateJobInput, required: true }) },
    resolve: (_root, { input }, context, info) => {
      requireOwnerOrOperator(context);
      const key = readIdempotencyKey(input.idempotencyKey, context.idempotencyKeyHeaders, info);
      return answerAfter(context, createJob(context, key, input));
    },
  }),
);
