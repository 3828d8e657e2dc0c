/** The mutation resumeProvider: ends a pause, and with it the waiting of what was queued meanwhile. The store writes it; this asks. */
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { invalidInput, providerNotFound } from "../refusals.ts";
import { InvalidInputRef, NotFoundRef } from "../types/refusals.ts";
import { withProvider } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { reasonIssues } from "./check-text.ts";

const ResumeProviderInput = builder.inputType("ResumeProviderInput", {
  fields: (t) => ({
    provider: t.string({ required: true }),
    reason: t.string({ description: "Kept in the audit log." }),
  }),
});

const ResumeProviderResult = builder.unionType("ResumeProviderResult", {
  types: [withProvider("ResumeProviderSuccess"), InvalidInputRef, NotFoundRef],
});

async function resumeProvider(input: typeof ResumeProviderInput.$inferInput, context: RequestContext) {
  const { catalog, store, viewer } = context;
  const issues = reasonIssues(input.reason);
  if (issues.length > 0) return invalidInput(issues);
  const provider = catalog.providers.get(input.provider);
  if (provider === undefined) return providerNotFound(input.provider, [...catalog.providers.keys()]);
  const actor = { cause: "OPERATOR", name: viewer.ownerId } as const;
  await store.resumeProvider({ provider: provider.name, reason: input.reason ?? null, actor });
  return { __typename: "ResumeProviderSuccess" as const, provider };
}

builder.mutationField("resumeProvider", (t) =>
  t.field({
    type: ResumeProviderResult,
    description: "Operators: let attempts start on a paused provider again.",
    args: { input: t.arg({ type: ResumeProviderInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OPERATOR");
      return answerAfter(context, resumeProvider(input, context));
    },
  }),
);
