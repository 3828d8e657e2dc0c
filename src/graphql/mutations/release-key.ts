/** The mutation releaseKey: removes a purged job, so that its key may record a new intent. The store decides; this asks and explains. */
import { textFault } from "../../domain/json.ts";
import { encodeId } from "../../store/ids.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { invalidInput, type Member, type NotFound } from "../refusals.ts";
import { InvalidInputRef, KeyInUseRef, NotFoundRef } from "../types/refusals.ts";
import { answerAfter } from "./answer-after.ts";
import { requiredTextIssues } from "./check-text.ts";

const ReleaseKeyInput = builder.inputType("ReleaseKeyInput", {
  fields: (t) => ({
    ownerId: t.string({ required: true }),
    idempotencyKey: t.string({ required: true }),
    reason: t.string({ required: true }),
  }),
});

const ReleaseKeySuccessRef = builder
  .objectRef<Member<"ReleaseKeySuccess", { readonly jobId: string }>>("ReleaseKeySuccess")
  .implement({
    fields: (t) => ({ jobId: t.exposeID("jobId", { description: "The id that the removed job had." }) }),
  });

const ReleaseKeyResult = builder.unionType("ReleaseKeyResult", {
  types: [ReleaseKeySuccessRef, KeyInUseRef, InvalidInputRef, NotFoundRef],
});

function keyNotFound(): NotFound {
  return {
    __typename: "NotFound",
    message: "This owner has recorded no job under this key: the key is free, or one of the two is misspelt.",
  };
}

async function releaseKey(input: typeof ReleaseKeyInput.$inferInput, { store, viewer }: RequestContext) {
  const { ownerId, idempotencyKey, reason } = input;
  const issues = requiredTextIssues("/reason", reason);
  if (issues.length > 0) return invalidInput(issues);
  // No job was ever recorded under what cannot be stored.
  if ([ownerId, idempotencyKey].some((text) => textFault(text) !== null)) return keyNotFound();
  const actor = { cause: "OPERATOR", name: viewer.ownerId } as const;
  const answer = await store.releaseKey({ ownerId, idempotencyKey, reason, actor });
  switch (answer.kind) {
    case "released":
      return { __typename: "ReleaseKeySuccess" as const, jobId: encodeId("job", answer.jobId) };
    case "in-use": {
      const message = "The key's job has not been purged by retention: its key stays bound to it.";
      return { __typename: "KeyInUse" as const, message, jobId: answer.jobId };
    }
    default:
      return keyNotFound();
  }
}

builder.mutationField("releaseKey", (t) =>
  t.field({
    type: ReleaseKeyResult,
    description:
      "Operators: remove a purged job altogether, so that its key may record a new intent. Recorded in the audit log.",
    args: { input: t.arg({ type: ReleaseKeyInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OPERATOR");
      return answerAfter(context, releaseKey(input, context));
    },
  }),
);
