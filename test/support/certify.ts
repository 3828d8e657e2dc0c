/** Puts a certification on record in plain SQL, as one that a run of its contract would have left. It runs nothing. */
import type postgres from "postgres";
import { termsOf } from "./store-kit.ts";

export interface CertifyOptions {
  readonly provider?: string;
  readonly operation?: string;
  readonly status?: "RUNNING" | "PASSED" | "FAILED" | "INCONCLUSIVE" | "REVOKED";
  readonly contractDigest?: string;
  readonly operationVersion?: number;
  readonly providerRevision?: string;
  /** An interval from now; absent for one that never expires. */
  readonly expiresIn?: string;
}

/** By default a pass of "print" on "laser" under the terms of store-kit.ts. Answers with its id. */
export async function certify(sql: postgres.Sql, options: CertifyOptions = {}): Promise<string> {
  const { provider = "laser", operation = "print", status = "PASSED" } = options;
  const terms = termsOf(provider);
  const [row] = await sql<{ id: string }[]>`
    insert into certifications (id, operation, operation_version, contract_digest, provider, provider_revision, status,
      requested_by, started_at, expires_at)
    values (gen_random_uuid(), ${operation}, ${options.operationVersion ?? terms.operationVersion},
      ${options.contractDigest ?? terms.contractDigest}, ${provider}, ${options.providerRevision ?? terms.providerRevision},
      ${status}, 'olga', onejob_now(), onejob_now() + ${options.expiresIn ?? null}::text::interval)
    returning id`;
  return row!.id;
}

export async function revoke(sql: postgres.Sql, id: string): Promise<void> {
  await sql`update certifications set status = 'REVOKED', revoked_at = onejob_now(), revoked_by = 'olga' where id = ${id}`;
}
