/** Judges one intent and records it, or answers for the key that holds one already: what createJob and createJobs have in common. */
import { intentDifferences, keyFaults } from "../../domain/intent.ts";
import { termsFor } from "../../domain/terms.ts";
import type { CreateJob, KeyHolder } from "../../store/commands.ts";
import type { RequestContext } from "../context.ts";
import { loadJob } from "../load.ts";
import { type AboutJob, type IdempotencyConflict, type InvalidInput, invalidInput, type Member } from "../refusals.ts";
import { type CreateRequest, type JudgedCreate, judgeCreate } from "./judge-create.ts";
import type { KeyRead } from "./read-idempotency-key.ts";

export type CreateJobSuccess = Member<"CreateJobSuccess", AboutJob & { readonly created: boolean }>;
export type CreateJobAnswer = CreateJobSuccess | IdempotencyConflict | InvalidInput;

export interface IntentRequest extends CreateRequest {
  readonly notBefore?: Date | null | undefined;
}

/** A valid intent, under a key that may be held. */
interface ValidIntent {
  readonly command: CreateJob;
  readonly judged: JudgedCreate;
  readonly root: string;
}

export type PreparedIntent = { readonly answer: CreateJobAnswer } | { readonly intent: ValidIntent };

/**
 * A key that is held answers before any fault of the input does, so that a tightened schema does not break repeats. The
 * judging is done first all the same: an input without fault needs no look-up, since the insert itself says who holds the key.
 */
export async function prepareIntent(
  context: RequestContext,
  keyRead: KeyRead,
  request: IntentRequest,
  root = "",
): Promise<PreparedIntent> {
  const { ownerId } = context.viewer;
  const key = "key" in keyRead ? (keyRead.key ?? "") : "";
  const keyIssues =
    "issue" in keyRead
      ? [{ ...keyRead.issue, path: root + keyRead.issue.path }]
      : keyFaults(keyRead.key, `${root}/idempotencyKey`);
  const judged = await judgeCreate(context.catalog, request, root);
  if (keyIssues.length > 0) return { answer: invalidInput([...keyIssues, ...judged.issues]) };

  const terms = termsFor(context.catalog, judged.intent.operation, judged.intent.provider);
  if (judged.issues.length > 0 || judged.digests === null || terms === null) {
    const holder = await context.loaders.keyHolder.load({ ownerId, key });
    if (holder === null) return { answer: invalidInput(judged.issues) };
    return { answer: await answerRepeat(context, holder, judged, root) };
  }
  const { operation, fallbackProviders, input } = judged.intent;
  const command: CreateJob = {
    ownerId,
    idempotencyKey: key,
    givenDigest: judged.digests.given,
    resolvedDigest: judged.digests.resolved,
    operation,
    operationVersion: terms.operationVersion,
    fallbackProviders,
    input,
    metadata: request.metadata ?? null,
    priority: request.priority,
    notBefore: request.notBefore ?? null,
    traceparent: context.traceparent,
    terms,
    // Whoever creates is the job's owner, an operator as well.
    actor: { cause: "OWNER", name: ownerId },
  };
  return { intent: { command, judged, root } };
}

/** The unique constraint decides whether it is new. Whoever has prepared several takes their places in the rate first. */
export async function recordIntent(context: RequestContext, prepared: PreparedIntent): Promise<CreateJobAnswer> {
  if ("answer" in prepared) return prepared.answer;
  const { command, judged, root } = prepared.intent;
  const answer = await context.store.createJob(command);
  if (!answer.created) return answerRepeat(context, answer.holder, judged, root);
  return { __typename: "CreateJobSuccess", jobId: answer.jobId, created: true };
}

/** The same intent if it is the same as given or as resolved: a changed default turns no honest repeat into a conflict. */
async function answerRepeat(
  context: RequestContext,
  holder: KeyHolder,
  { intent, digests }: JudgedCreate,
  root: string,
): Promise<CreateJobAnswer> {
  const { jobId } = holder;
  if (digests?.given === holder.givenDigest || digests?.resolved === holder.resolvedDigest) {
    return { __typename: "CreateJobSuccess", jobId, created: false };
  }
  const job = await loadJob(context, jobId);
  return {
    __typename: "IdempotencyConflict",
    message:
      "This idempotency key is bound to another intent: repeat that very intent, or take a fresh key for this one.",
    jobId,
    // Under the root as the paths of InvalidInput are: all pointers of an answer point into what was sent.
    differences: job.purgedAt === null ? intentDifferences(job, intent).map((pointer) => root + pointer) : [],
  };
}
