/** What a worker's report is about, as it stands now: read after a statement changed no row, to tell why. It changes nothing. */

import type { AttemptState, JobState } from "../../domain/lifecycle.ts";
import type { Failure } from "../../domain/outcome.ts";
import type { Sql } from "../connect.ts";
import type { ReportRefusal, WorkerReport } from "../worker-commands.ts";

export interface ReportTarget {
  readonly attemptId: string;
  readonly jobId: string;
  readonly state: AttemptState;
  readonly jobVersion: number;
  readonly leaseToken: string | null;
  readonly leaseMs: number;
  readonly provider: string;
  readonly providerRequestId: string | null;
  readonly failure: Failure | null;
  readonly job: {
    readonly state: JobState;
    readonly version: number;
    readonly completedBy: string | null;
    readonly operation: string;
    readonly provider: string;
    readonly fallbackProviders: readonly string[];
  };
}

type Row = Omit<ReportTarget, "job"> & {
  jobState: JobState;
  version: number;
  completedBy: string | null;
  operation: string;
  jobProvider: string;
  fallbackProviders: string[];
};

/** One for each report, in order; null where there is no such attempt, or the caller's token does not name its provider. */
export async function readTargets(sql: Sql, reports: readonly WorkerReport[]): Promise<(ReportTarget | null)[]> {
  const rows = await sql<Row[]>`
    select a.id as attempt_id, a.job_id, a.state, a.job_version, a.lease_token, a.lease_ms, a.provider, a.provider_request_id,
      a.failure, j.state as job_state, j.version, j.completed_by, j.operation, j.provider as job_provider, to_jsonb(j.fallback_providers) as fallback_providers
    from attempts a join jobs j on j.id = a.job_id
    where a.id = any(${reports.map((report) => report.attemptId)}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.attemptId, row]));
  return reports.map((report) => {
    const row = byId.get(report.attemptId);
    if (row === undefined || (report.providers !== null && !report.providers.includes(row.provider))) return null;
    const { jobState, version, completedBy, operation, jobProvider, fallbackProviders, ...attempt } = row;
    return {
      ...attempt,
      job: { state: jobState, version, completedBy, operation, provider: jobProvider, fallbackProviders },
    };
  });
}

/** The refusals that all reports share: no such attempt, or not this worker's claim. Null when the claim is the caller's. */
export function refuseForeign(
  report: WorkerReport,
  target: ReportTarget | null,
): Extract<ReportRefusal, { kind: "not-found" | "lease-lost" }> | null {
  if (target === null) return { kind: "not-found" };
  if (target.leaseToken !== report.leaseToken)
    return { kind: "lease-lost", attemptId: target.attemptId, jobId: target.jobId };
  return null;
}
