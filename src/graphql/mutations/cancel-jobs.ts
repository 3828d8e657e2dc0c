/** The mutation cancelJobs: withdraws the open jobs that a filter matches, oldest first. Each is withdrawn as by cancelJob, so races are settled alike. */
import type { InputIssue } from "../../domain/refusal.ts";
import type { CancelJobAnswer } from "../../store/commands.ts";
import { newId } from "../../store/ids.ts";
import { requireOwnerOrOperator, scopeOf } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { loadJob } from "../load.ts";
import { invalidInput, type Member } from "../refusals.ts";
import { JobFilterInput, jobFilter } from "../types/filters.ts";
import { JobRef } from "../types/refs.ts";
import { InvalidInputRef } from "../types/refusals.ts";
import { actingOnJob } from "./acting-as.ts";
import { answerAfter } from "./answer-after.ts";
import { requiredTextIssues, textIssues } from "./check-text.ts";

const CancelJobsInput = builder.inputType("CancelJobsInput", {
  fields: (t) => ({
    filter: t.field({ type: JobFilterInput, required: true, description: "At least one condition." }),
    limit: t.int({ required: true, defaultValue: 100, description: "At most 1,000." }),
    reason: t.string({ required: true }),
  }),
});

type Input = typeof CancelJobsInput.$inferInput;
type CancelJobsSuccess = Member<"CancelJobsSuccess", { readonly jobIds: readonly string[]; readonly hasMore: boolean }>;

const CancelJobsSuccessRef = builder.objectRef<CancelJobsSuccess>("CancelJobsSuccess").implement({
  fields: (t) => ({
    jobs: t.field({
      type: [JobRef],
      description: "Those that this call withdrew. Jobs that closed meanwhile are not among them.",
      resolve: ({ jobIds }, _arguments, context) => Promise.all(jobIds.map((id) => loadJob(context, id))),
    }),
    hasMore: t.exposeBoolean("hasMore", { description: "Whether the filter still matches open jobs: ask again." }),
  }),
});

const CancelJobsResult = builder.unionType("CancelJobsResult", { types: [CancelJobsSuccessRef, InvalidInputRef] });

function filterIssues({ filter }: Input): InputIssue[] {
  const conditions = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  if (conditions.length === 0) {
    const message = "A filter without a condition would withdraw everything: give at least one.";
    return [{ path: "/filter", message }];
  }
  if (filter.states?.length === 0) {
    const message = "No job is in none of the states: name some, or leave this condition out.";
    return [{ path: "/filter/states", message }];
  }
  return conditions.flatMap(([name, value]) =>
    typeof value === "string" ? textIssues(`/filter/${name}`, value, { max: 1_000 }) : [],
  );
}

function limitIssues(limit: number, batchSize: number): InputIssue[] {
  if (limit >= 1 && limit <= batchSize) return [];
  return [{ path: "/limit", message: `${limit} is out of range: give 1 to ${batchSize} (limits.batchSize).` }];
}

function inputIssues(input: Input, batchSize: number): InputIssue[] {
  return [
    ...filterIssues(input),
    ...limitIssues(input.limit, batchSize),
    ...requiredTextIssues("/reason", input.reason),
  ];
}

async function cancelJobs(input: Input, context: RequestContext) {
  const { store, viewer } = context;
  const issues = inputIssues(input, context.limits.batchSize);
  if (issues.length > 0) return invalidInput(issues);
  const filter = jobFilter(viewer, input.filter);
  const candidates = await store.read.openJobIds(filter, input.limit);
  const call = newId();
  const asked = candidates.map(async (jobId) => {
    const actor = await actingOnJob(context, jobId);
    return store.cancelJob({ jobId, scope: scopeOf(viewer), reason: input.reason, actor, call });
  });
  const jobIds = tellProviders(await Promise.allSettled(asked), context);
  const hasMore = (await store.read.openJobIds(filter, 1)).length > 0;
  return { __typename: "CancelJobsSuccess" as const, jobIds, hasMore };
}

/** The jobs that this call withdrew, in order. What was withdrawn is told to the providers even if another one's withdrawal broke. */
function tellProviders(
  settled: readonly PromiseSettledResult<CancelJobAnswer>[],
  { cancelAtProvider }: RequestContext,
): string[] {
  const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const jobIds = answers.flatMap((answer) => {
    if (answer.kind !== "cancelled" || answer.repeated) return [];
    if (answer.cancelledAttemptId !== null) cancelAtProvider(answer.cancelledAttemptId);
    return [answer.jobId];
  });
  const broken = settled.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return jobIds;
}

builder.mutationField("cancelJobs", (t) =>
  t.field({
    type: CancelJobsResult,
    description:
      "Withdraws every open job that the filter matches, oldest first, in one go: the caller's own, an operator's of every owner.",
    args: { input: t.arg({ type: CancelJobsInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireOwnerOrOperator(context);
      return answerAfter(context, cancelJobs(input, context));
    },
  }),
);
