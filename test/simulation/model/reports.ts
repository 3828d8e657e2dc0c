/** What workers say about their attempts, and what the sweep says in their stead: every rule of theirs is fenced (I4, I5, I6). */
import type { Command, Json } from "../commands.ts";
import { workers } from "../settings.ts";
import { hasTerms, inOrderOf } from "./create-and-claim.ts";
import { gateOf } from "./gate.ts";
import { type By, end, lose, move, policy, queue, settingsOf, succeed, tell } from "./moves.ts";
import { attemptById, change, type Draft, type Found, isHeld, isLive } from "./world.ts";

type Of<Verb extends Command["do"]> = Extract<Command, { do: Verb }>;
export type ReportVerb = "markRunning" | "heartbeat" | "completeAttempt" | "failAttempt";

/** The attempt as the draft's own, or the refusal that all reports share. */
export function report(draft: Draft, command: Of<ReportVerb>): Json {
  const found = attemptById(draft, command.attemptId);
  const visible = workers[command.subject] ?? null;
  if (found === null || (visible !== null && !visible.includes(found.attempt.provider))) return { kind: "not-found" };
  const about = { attemptId: found.attempt.id, jobId: found.job.id };
  if (found.attempt.token !== command.token) return { kind: "lease-lost", ...about };
  const job = change(draft, found.job);
  const attempt = job.attempts[found.attempt.number - 1] as Found["attempt"];
  const by = { cause: "WORKER", name: command.subject };
  switch (command.do) {
    case "markRunning":
      return markRunning(draft, command, { job, attempt }, about, by);
    case "heartbeat":
      return heartbeat(draft, command, { job, attempt }, about);
    case "completeAttempt":
      return complete(draft, command.result, { job, attempt }, about, by);
    case "failAttempt":
      return command.certain
        ? fail(draft, command, { job, attempt }, about, by)
        : loseByReport(draft, command, { job, attempt }, about, by);
  }
}

type About = { readonly attemptId: string | null; readonly jobId: string | null };

function markRunning(draft: Draft, command: Of<"markRunning">, { job, attempt }: Found, about: About, by: By): Json {
  if (!isLive(attempt.state)) return { kind: "closed", ...about };
  attempt.requestId ??= command.requestId;
  if (attempt.state === "STARTING") move(draft, job, attempt, "RUNNING", by);
  return { kind: "running", ...about };
}

function heartbeat(draft: Draft, command: Of<"heartbeat">, { job, attempt }: Found, about: About): Json {
  const { leaseMs } = settingsOf(job.operation);
  if (!isLive(attempt.state)) return { kind: "closed", ...about };
  if (!isHeld(attempt.state)) return { kind: "beating", ...about, leaseExpiresAt: null, leaseMs };
  attempt.leaseExpiresAt = draft.now + leaseMs;
  attempt.progress = command.fraction ?? attempt.progress;
  return { kind: "beating", ...about, leaseExpiresAt: attempt.leaseExpiresAt, leaseMs };
}

function complete(draft: Draft, result: Json, { job, attempt }: Found, about: About, by: By): Json {
  if (isLive(attempt.state)) {
    succeed(draft, job, attempt, result, by);
    return { kind: "completed", ...about, repeated: false };
  }
  if (isHeldResult({ job, attempt }, result)) return { kind: "completed", ...about, repeated: true };
  return discard(draft, result, { job, attempt }, about, by);
}

/** Retention takes the result away, and with it the way to tell a repeat. */
export function isHeldResult({ job, attempt }: Found, result: Json): boolean {
  return (
    attempt.state === "SUCCEEDED" && job.purgedAt === null && JSON.stringify(job.result) === JSON.stringify(result)
  );
}

/** Thrown away, and told once for each attempt and result; nothing else of the job changes. */
export function discard(draft: Draft, result: Json, { job, attempt }: Found, about: About, by: By): Json {
  const told = `${attempt.number} ${JSON.stringify(result)}`;
  if (!job.discards.includes(told)) {
    job.discards = [...job.discards, told];
    attempt.lateResultAt ??= draft.now;
    tell(draft, job, "RESULT_DISCARDED", attempt, by);
  }
  const winner = job.attempts.find((one) => one.number === job.completedBy);
  return { kind: "discarded", ...about, winnerId: winner?.id ?? null };
}

function loseByReport(draft: Draft, command: Of<"failAttempt">, { job, attempt }: Found, about: About, by: By): Json {
  if (!isLive(attempt.state)) return { kind: "closed", ...about };
  const repeated = attempt.state === "UNKNOWN";
  if (!repeated) lose(draft, job, attempt, `${command.code} ${command.remedy}`, by);
  return { kind: "recorded", ...about, repeated };
}

function fail(draft: Draft, command: Of<"failAttempt">, { job, attempt }: Found, about: About, by: By): Json {
  const { code, remedy, uncertain } = command;
  if (!isLive(attempt.state)) {
    const again = attempt.state === "FAILED" && attempt.failure?.split(" ")[0] === code;
    return again ? { kind: "recorded", ...about, repeated: true } : { kind: "closed", ...about };
  }
  attempt.failure = `${code} ${remedy}`;
  attempt.uncertain = uncertain;
  const next = whatFollows(draft, { job, attempt }, remedy);
  if (next === null || "refused" in next) {
    end(draft, job, attempt, "FAILED");
    job.state = "FAILED";
    job.failure = attempt.failure;
    tell(draft, job, "ATTEMPT_FAILED", attempt, by);
    if (next !== null) tell(draft, job, "FAILOVER_REFUSED", attempt, policy);
    tell(draft, job, "JOB_FAILED", attempt, policy);
  } else {
    end(draft, job, attempt, "FAILED");
    job.state = "QUEUED";
    tell(draft, job, "ATTEMPT_FAILED", attempt, by);
    queue(draft, job, { ...next, runAt: draft.now + next.delayMs }, policy);
  }
  return { kind: "recorded", ...about, repeated: false };
}

type Next = { provider: string; delayMs: number; certificationId: string | null } | { refused: true } | null;

/** SAME_PROVIDER uses the provider's tries up, then the fallbacks follow that were not tried yet, each only if certified. */
function whatFollows(draft: Draft, { job, attempt }: Found, remedy: string): Next {
  const { effectClass, maxAttempts, initialDelayMs, maxDelayMs } = settingsOf(job.operation);
  if (remedy === "NONE") return null;
  const tries = job.attempts.filter((one) => one.provider === attempt.provider).length;
  if (remedy === "SAME_PROVIDER" && tries < maxAttempts) {
    const delayMs = Math.min(maxDelayMs, initialDelayMs * 2 ** (tries - 1));
    if (attempt.provider !== job.provider) return throughGate(draft, job.operation, [attempt.provider], delayMs);
    return hasTerms(job.operation, attempt.provider)
      ? { provider: attempt.provider, delayMs, certificationId: null }
      : null;
  }
  const untried = job.fallbacks.filter((name) => job.attempts.every((one) => one.provider !== name));
  return effectClass === "BLIND" || untried.length === 0 ? null : throughGate(draft, job.operation, untried, 0);
}

function throughGate(draft: Draft, operation: string, names: readonly string[], delayMs: number): Next {
  for (const provider of names.filter((name) => hasTerms(operation, name))) {
    const gate = gateOf(draft, operation, provider);
    if (gate.reason === null) return { provider, delayMs, certificationId: gate.certificationId };
  }
  return { refused: true };
}

/** `loose`: others were at it at the same time, whose rows a sweep passes by. */
export function expire(draft: Draft, command: Of<"expireAttempts">, seen: Json, loose: boolean): Json {
  const names = new Set(((seen ?? []) as { attemptId: string }[]).map(({ attemptId }) => attemptId));
  const overdue = [...draft.jobs.values()].flatMap((job) =>
    job.attempts
      .filter((one) => isHeld(one.state) && Math.min(one.deadlineAt ?? 0, one.leaseExpiresAt ?? 0) <= draft.now)
      .map((attempt) => ({ job, attempt })),
  );
  // The sweep may stop at its limit, or pass by what others hold; then any of those that are overdue will do.
  const partly = loose || overdue.length > command.limit;
  const chosen = partly ? overdue.filter(({ attempt }) => names.has(attempt.id ?? "")) : overdue;
  if (!loose && chosen.length < Math.min(command.limit, overdue.length))
    return `${command.limit} of ${overdue.length} that are overdue`;
  return inOrderOf(
    seen,
    chosen.map((found) => {
      const job = change(draft, found.job);
      const attempt = job.attempts[found.attempt.number - 1] as Found["attempt"];
      const cause = (attempt.deadlineAt ?? 0) <= (attempt.leaseExpiresAt ?? 0) ? "DEADLINE" : "LEASE";
      const code = cause === "DEADLINE" ? "DEADLINE_EXCEEDED" : "LEASE_EXPIRED";
      lose(draft, job, attempt, `${code} NONE`, { cause, name: null });
      return { attemptId: attempt.id, jobId: job.id, cause };
    }),
  );
}
