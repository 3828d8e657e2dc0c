/** Carries out what no verb of the store does: certification verdicts, retention's stripping, and meddling from psql. */
import type postgres from "postgres";
import type { Command, Json } from "./commands.ts";
import { meddle } from "./meddle.ts";
import { contractDigest, operationVersion } from "./settings.ts";

type InSql = Extract<Command, { do: "certify" | "revoke" | "strip" | "meddle" }>;

export async function carryOutInSql(
  sql: postgres.Sql,
  command: InSql,
  { revisions }: { readonly revisions: Readonly<Record<string, string>> },
): Promise<Json> {
  switch (command.do) {
    case "certify": {
      const { operation, provider, status, expiresInMs } = command;
      const [row] = await sql<{ id: string }[]>`
        insert into certifications (id, operation, operation_version, contract_digest, provider, provider_revision, status,
          requested_by, started_at, expires_at)
        values (gen_random_uuid(), ${operation}, ${operationVersion}, ${contractDigest}, ${provider}, ${revisions[provider] ?? ""},
          ${status}, 'olga', onejob_now(), onejob_now() + ${expiresInMs}::float8 * interval '1 millisecond')
        returning id`;
      return row?.id ?? "";
    }
    case "revoke":
      await sql`update certifications set status = 'REVOKED', revoked_at = onejob_now(), revoked_by = 'olga' where id = ${command.certificationId}`;
      return "revoked";
    case "strip": {
      const rows = await sql`
        update jobs set purged_at = onejob_now(), input = null, metadata = null, result = null, failure = null, traceparent = null
        where id = ${command.jobId} and state in ('SUCCEEDED', 'CANCELLED') and purged_at is null returning id`;
      return rows.length > 0 ? "stripped" : "nothing";
    }
    case "meddle":
      return meddle(sql, command.deed, command.jobId);
  }
}
