/** The mutation pauseProvider: from now on no claim gets an attempt on it, in any process. The store writes it; this asks. */
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { invalidInput, providerNotFound } from "../refusals.ts";
import { InvalidInputRef, NotFoundRef } from "../types/refusals.ts";
import { withProvider } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { requiredTextIssues } from "./check-text.ts";

const PauseProviderInput = builder.inputType("PauseProviderInput", {
  fields: (t) => ({ provider: t.string({ required: true }), reason: t.string({ required: true }) }),
});

const PauseProviderResult = builder.unionType("PauseProviderResult", {
  types: [withProvider("PauseProviderSuccess"), InvalidInputRef, NotFoundRef],
});

async function pauseProvider(input: typeof PauseProviderInput.$inferInput, context: RequestContext) {
  const { catalog, store, viewer } = context;
  const issues = requiredTextIssues("/reason", input.reason);
  if (issues.length > 0) return invalidInput(issues);
  const provider = catalog.providers.get(input.provider);
  if (provider === undefined) return providerNotFound(input.provider, [...catalog.providers.keys()]);
  const actor = { cause: "OPERATOR", name: viewer.ownerId } as const;
  await store.pauseProvider({ provider: provider.name, reason: input.reason, actor });
  return { __typename: "PauseProviderSuccess" as const, provider };
}

builder.mutationField("pauseProvider", (t) =>
  t.field({
    type: PauseProviderResult,
    description:
      "Operators: let no further attempt start on a provider. Attempts under way go on. Asked twice, it is paused once.",
    args: { input: t.arg({ type: PauseProviderInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireRole(context, "OPERATOR");
      return answerAfter(context, pauseProvider(input, context));
    },
  }),
);
