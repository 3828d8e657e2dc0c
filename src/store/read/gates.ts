/** Reads what the gate judges from: the newest certifications of an operation on a provider. The judgement is domain/certification.ts. */
import { type CertificationRecord, type GateAnswer, type GateQuestion, judgeGate } from "../../domain/certification.ts";
import type { Sql } from "../connect.ts";

/** Enough to find the newest verdict behind broken-off runs. */
const recordsRead = 50;

/** One answer for each question, in order. */
export async function readGates(sql: Sql, questions: readonly GateQuestion[]): Promise<GateAnswer[]> {
  if (questions.length === 0) return [];
  const rows = await sql<(CertificationRecord & { ord: number })[]>`
    select q.ord::int, c.* from unnest(${questions.map((q) => q.operation)}::text[], ${questions.map((q) => q.provider)}::text[])
      with ordinality as q(operation, provider, ord),
    lateral (
      select c.id, c.operation, c.operation_version, c.contract_digest, c.provider, c.provider_revision,
        case when c.status = 'PASSED' and c.expires_at <= onejob_now() then 'EXPIRED' else c.status::text end as status
      from certifications c where c.operation = q.operation and c.provider = q.provider
      order by c.started_at desc, c.id desc limit ${recordsRead}
    ) c
    order by q.ord`;
  return questions.map((question, index) =>
    judgeGate(
      question,
      rows.filter((row) => row.ord === index + 1),
    ),
  );
}
