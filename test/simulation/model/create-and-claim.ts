/** How jobs come into the model's world, and how workers take their attempts: createJob and claimAttempts. */
import type { Command, Intent, Json } from "../commands.ts";
import { droppedProvider, operations, providers } from "../settings.ts";
import { move, queue, settingsOf } from "./moves.ts";
import { change, type Draft, type Found, isHeld, type ModelJob, placeOf } from "./world.ts";

type Of<Verb extends Command["do"]> = Extract<Command, { do: Verb }>;

/** An intent with the operation's defaults filled in. */
function resolved(intent: Intent): Required<Intent> {
  const provider = intent.provider ?? providers[0];
  const fallbackProviders = intent.fallbackProviders ?? providers.filter((name) => name !== provider);
  return { operation: intent.operation, provider, fallbackProviders, input: intent.input };
}

/** What two creates must share to mean the same; what is absent differs from what is given. */
function meaning({ operation, provider, fallbackProviders, input }: Intent): string {
  return JSON.stringify([operation, provider ?? 0, fallbackProviders ?? 0, input]);
}

export function create(draft: Draft, command: Of<"createJob">, seen: Json): Json {
  const { owner, key, intent, priority, delayMs } = command;
  const holder = draft.jobs.get(placeOf(owner, key));
  if (holder !== undefined) {
    const same =
      meaning(intent) === meaning(holder.intent) || meaning(resolved(intent)) === meaning(resolved(holder.intent));
    return { created: false, jobId: holder.id, same };
  }
  const { operation, provider, fallbackProviders, input } = resolved(intent);
  const id = (seen as { jobId?: string } | null)?.jobId ?? null;
  const job: ModelJob = {
    id,
    owner,
    key,
    intent,
    operation,
    provider,
    fallbacks: fallbackProviders,
    input,
    priority,
    state: "QUEUED",
    version: 1,
    latest: 1,
    completedBy: null,
    result: null,
    failure: null,
    createdAt: draft.now,
    updatedAt: draft.now,
    closedAt: null,
    purgedAt: null,
    attempts: [],
    events: [["JOB_CREATED", "QUEUED", null, null, "OWNER", owner, draft.now]],
    discards: [],
  };
  draft.jobs.set(placeOf(owner, key), job);
  queue(draft, job, { provider, runAt: draft.now + (delayMs ?? 0) }, { cause: "OWNER", name: owner });
  return { created: true, jobId: id };
}

/** A claim as a worker sees it. */
function shown({ job, attempt }: Found): Json {
  const { attemptTimeoutMs, leaseMs } = settingsOf(job.operation);
  const { id, token, leaseExpiresAt, deadlineAt } = attempt;
  return {
    attemptId: id,
    token,
    leaseExpiresAt,
    deadlineAt,
    leaseMs,
    deadlineMs: attemptTimeoutMs,
    operation: job.operation,
    input: job.input,
  };
}

/** Of a repeated claim: what is left of lease and deadline has to be right, too. */
function shownAgain(draft: Draft, found: Found): Json {
  const { leaseExpiresAt, deadlineAt } = found.attempt;
  const left = (at: number | null): number => Math.max(0, (at ?? 0) - draft.now);
  return { ...(shown(found) as object), leaseMs: left(leaseExpiresAt), deadlineMs: left(deadlineAt) };
}

function allAttempts(draft: Draft): Found[] {
  return [...draft.jobs.values()].flatMap((job) => job.attempts.map((attempt) => ({ job, attempt })));
}

function mayBeClaimed(draft: Draft, command: Of<"claimAttempts">, { job, attempt }: Found): boolean {
  return (
    attempt.state === "QUEUED" &&
    attempt.runAt <= draft.now &&
    command.providers.includes(attempt.provider) &&
    (command.operations === null || command.operations.includes(job.operation)) &&
    !draft.paused.has(attempt.provider)
  );
}

/** Which of several due attempts a claim takes is left open, but for this: within one owner and provider the higher priority goes first. */
function isPassedBy(taken: readonly Found[], waiting: Found): boolean {
  return taken.some(
    ({ job, attempt }) =>
      attempt.provider === waiting.attempt.provider &&
      job.owner === waiting.job.owner &&
      job.priority < waiting.job.priority,
  );
}

/** `loose`: others were at it at the same time, whose rows a claim passes by. */
export function claim(draft: Draft, command: Of<"claimAttempts">, seen: Json, loose: boolean): Json {
  const { subject, claimKey, limit } = command;
  const ofKey = allAttempts(draft).filter(
    ({ attempt }) => claimKey !== null && attempt.claimedBy === subject && attempt.claimKey === claimKey,
  );
  const again = ofKey.filter(({ attempt }) => isHeld(attempt.state) && command.providers.includes(attempt.provider));
  if (ofKey.length > 0)
    return inOrderOf(
      seen,
      again.map((found) => shownAgain(draft, found)),
    );
  const due = allAttempts(draft).filter((found) => mayBeClaimed(draft, command, found));
  const answers = (seen ?? []) as { attemptId: string; token: string }[];
  const taken = answers.flatMap(({ attemptId }) => due.filter(({ attempt }) => attempt.id === attemptId));
  const rest = due.filter((found) => !taken.includes(found));
  if (new Set(taken).size !== answers.length)
    return `Only these were to be had: ${due.map(({ attempt }) => attempt.id).join(" ")}`;
  if (taken.length > limit) return `No more than ${limit}`;
  if (!loose && taken.length < Math.min(limit, due.length))
    return `All that is due, up to ${limit}: ${due.map(({ attempt }) => attempt.id).join(" ")}`;
  if (!loose && rest.some((found) => isPassedBy(taken, found))) return "The higher priority goes first";
  return taken.map((found, index) => {
    const job = change(draft, draft.jobs.get(placeOf(found.job.owner, found.job.key)) ?? found.job);
    const attempt = job.attempts[found.attempt.number - 1] as Found["attempt"];
    start(draft, command, { job, attempt }, answers[index]?.token ?? null);
    return shown({ job, attempt });
  });
}

function start(draft: Draft, command: Of<"claimAttempts">, { job, attempt }: Found, token: string | null): void {
  const { attemptTimeoutMs, leaseMs } = settingsOf(job.operation);
  attempt.workerId = `${command.subject}-1`;
  attempt.claimedBy = command.subject;
  attempt.claimKey = command.claimKey;
  attempt.token = token;
  attempt.startedAt = draft.now;
  attempt.leaseExpiresAt = draft.now + leaseMs;
  attempt.deadlineAt = draft.now + attemptTimeoutMs;
  move(draft, job, attempt, "STARTING", { cause: "WORKER", name: command.subject });
}

/** The same things in the order in which they were seen: no order is promised. */
export function inOrderOf(seen: Json, expected: readonly Json[]): Json {
  const texts = (Array.isArray(seen) ? seen : []).map((one) => JSON.stringify(one));
  return expected.toSorted((left, right) => texts.indexOf(JSON.stringify(left)) - texts.indexOf(JSON.stringify(right)));
}

/** Whether the configuration still has terms for an attempt there. */
export function hasTerms(operation: string, provider: string): boolean {
  return operation in operations && provider !== droppedProvider;
}
