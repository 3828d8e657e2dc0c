/** Reads what a failed attempt's job has tried so far and decides what follows by itself. It writes nothing. */
import type { GateAnswer } from "../../domain/certification.ts";
import { isLive } from "../../domain/lifecycle.ts";
import { nextStep } from "../../domain/retry-policy.ts";
import type { AttemptTerms } from "../commands.ts";
import type { Sql } from "../connect.ts";
import { newId } from "../ids.ts";
import { readGates } from "../read/gates.ts";
import type { Decision } from "../verb.ts";
import type { FailAttempt, FailAttemptAnswer } from "../worker-commands.ts";
import { type ReportTarget, readTargets, refuseForeign } from "./report-target.ts";

export interface NextAttempt {
  readonly attemptId: string;
  readonly terms: AttemptTerms;
  readonly delayMs: number;
  readonly certificationId: string | null;
}

export interface FailurePlan {
  readonly command: FailAttempt;
  readonly next: NextAttempt | null;
  /** Detail of FAILOVER_REFUSED, where failover was due and may not go on. */
  readonly refused: { readonly provider: string; readonly reason: string } | null;
}

type TriesByJob = Map<string, Map<string, number>>;

async function readTries(sql: Sql, jobIds: readonly string[]): Promise<TriesByJob> {
  const rows = await sql<{ jobId: string; provider: string; tries: number }[]>`
    select job_id, provider, count(*)::int as tries from attempts where job_id = any(${jobIds as string[]}::uuid[]) group by 1, 2`;
  const tries: TriesByJob = new Map();
  for (const row of rows) {
    const ofJob = tries.get(row.jobId) ?? new Map<string, number>();
    tries.set(row.jobId, ofJob.set(row.provider, row.tries));
  }
  return tries;
}

/** An attempt that has ended answers a repeat of its own failure with success, and anything else with `closed`. */
function answerOver(command: FailAttempt, target: ReportTarget): FailAttemptAnswer {
  const { attemptId, jobId } = target;
  const repeated = target.state === "FAILED" && target.failure?.code === command.failure.code;
  return repeated ? { kind: "recorded", attemptId, jobId, repeated: true } : { kind: "closed", attemptId, jobId };
}

export async function decideFailures(
  sql: Sql,
  commands: readonly FailAttempt[],
): Promise<Decision<FailurePlan, FailAttemptAnswer>[]> {
  const targets = await readTargets(sql, commands);
  const tries = await readTries(
    sql,
    targets.flatMap((target) => target?.jobId ?? []),
  );
  return Promise.all(
    commands.map(async (command, index) => {
      const target = targets[index] ?? null;
      const foreign = refuseForeign(command, target);
      if (foreign !== null || target === null) return { answer: foreign ?? { kind: "not-found" as const } };
      if (!isLive(target.state)) return { answer: answerOver(command, target) };
      return { plan: await planFailure(sql, command, target, tries.get(target.jobId) ?? new Map<string, number>()) };
    }),
  );
}

async function planFailure(
  sql: Sql,
  command: FailAttempt,
  target: ReportTarget,
  triesByProvider: Map<string, number>,
): Promise<FailurePlan> {
  const { operation, provider, fallbackProviders } = target.job;
  const policy = command.policy.retryOf(operation);
  if (policy === null) return { command, next: null, refused: null };
  const step = nextStep({
    provider: target.provider,
    remedy: command.failure.remedy,
    triesByProvider,
    fallbackProviders,
    effectClass: policy.effectClass,
    retry: policy,
  });
  if (step.kind === "none") return { command, next: null, refused: null };
  if (step.kind === "other-provider") return planThroughGate(sql, command, operation, step.candidates, 0);
  // The next try on a fallback is an attempt on another provider than the job's, so it passes the gate as the first one did.
  if (step.provider !== provider) return planThroughGate(sql, command, operation, [step.provider], step.delayMs);
  const terms = command.policy.termsFor(operation, step.provider);
  const next = terms === null ? null : { attemptId: newId(), terms, delayMs: step.delayMs, certificationId: null };
  return { command, next, refused: null };
}

/** The first of these providers whose gate is open takes the job (I9); with none, the first one's reason is told. */
async function planThroughGate(
  sql: Sql,
  command: FailAttempt,
  operation: string,
  providers: readonly string[],
  delayMs: number,
): Promise<FailurePlan> {
  const candidates = providers.flatMap((provider) => command.policy.termsFor(operation, provider) ?? []);
  const gates: GateAnswer[] = await readGates(
    sql,
    candidates.map((terms) => ({ ...terms, operation })),
  );
  const open = gates.findIndex((gate) => gate.open);
  const terms = candidates[open];
  if (terms !== undefined) {
    return {
      command,
      next: { attemptId: newId(), terms, delayMs, certificationId: gates[open]?.certificationId ?? null },
      refused: null,
    };
  }
  const provider = candidates[0]?.provider ?? providers[0] ?? "";
  return { command, next: null, refused: { provider, reason: gates[0]?.reason ?? "NOT_CONFIGURED" } };
}
