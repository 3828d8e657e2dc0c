/** The filters of jobs and attempts as callers give them, and as the store takes them within the caller's scope. */
import { textFault } from "../../domain/json.ts";
import type { AttemptFilter, JobFilter } from "../../store/pages.ts";
import { ownerInScope } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { Viewer } from "../context.ts";
import { badUserInput } from "../errors.ts";
import { AttemptStateEnum, JobStateEnum } from "./enums.ts";

const operatorsOnly = "Operators only; an owner sees own jobs alone.";

export const JobFilterInput = builder.inputType("JobFilter", {
  fields: (t) => ({
    states: t.field({ type: [JobStateEnum] }),
    operation: t.string(),
    provider: t.string(),
    ownerId: t.string({ description: operatorsOnly }),
    idempotencyKey: t.string(),
    createdAfter: t.field({ type: "DateTime" }),
    createdBefore: t.field({ type: "DateTime" }),
  }),
});

export const AttemptFilterInput = builder.inputType("AttemptFilter", {
  fields: (t) => ({
    states: t.field({ type: [AttemptStateEnum] }),
    operation: t.string(),
    provider: t.string(),
    ownerId: t.string({ description: operatorsOnly }),
    stateChangedBefore: t.field({ type: "DateTime" }),
    effectUncertain: t.boolean(),
  }),
});

type Given<Filter> = { readonly [Key in keyof Filter]?: Filter[Key] | null | undefined };

export function jobFilter(viewer: Viewer, given: Given<JobFilter> | null | undefined): JobFilter {
  return withOwner<JobFilter>(viewer, given ?? {});
}

export function attemptFilter(viewer: Viewer, given: Given<AttemptFilter> | null | undefined): AttemptFilter {
  return withOwner<AttemptFilter>(viewer, given ?? {});
}

/** A list as it was given, each of its elements once: a statement has room for so many values and no more. */
const distinct = (value: unknown) => (Array.isArray(value) ? [...new Set(value)] : value);

/** The conditions that were given, null being none, and the owner whose jobs the viewer may see. */
function withOwner<Filter extends { readonly ownerId?: string }>(
  viewer: Viewer,
  given: Given<Filter> & { readonly ownerId?: string | null | undefined },
): Filter {
  const conditions = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of conditions) {
    const fault = typeof value === "string" ? textFault(value) : null;
    if (fault !== null) throw badUserInput(`The filter's ${name} ${fault}.`);
  }
  const ownerId = ownerInScope(viewer, given.ownerId);
  const each = conditions.map(([name, value]) => [name, distinct(value)]);
  return { ...Object.fromEntries(each), ...(ownerId !== null && { ownerId }) } as Filter;
}
