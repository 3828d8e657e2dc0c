/** Every write to a job that the invariants forbid, as somebody would type it in psql, with the refusal that it must meet. It runs none. */
import type { Forbidden } from "../../support/write-in-psql.ts";

const intent: [string, string][] = [
  ["id", "gen_random_uuid()"],
  ["owner_id", "'bob'"],
  ["idempotency_key", "'another'"],
  ["given_digest", "'x'"],
  ["resolved_digest", "'x'"],
  ["digest_version", "2"],
  ["operation", "'scan'"],
  ["operation_version", "2"],
  ["provider", "'laser'"],
  ["fallback_providers", "'{}'"],
  ["created_at", "created_at - interval '1 s'"],
];

const ofClosed: [string, string][] = [
  ["version", "version + 1"],
  ["attempt_count", "attempt_count + 1"],
  ["latest_attempt", "{succeeded.first}"],
  ["failure", "'{}'"],
  ["updated_at", "onejob_now()"],
  ["closed_at", "onejob_now()"],
  ["priority", "9"],
];

/** A copy of a job as a new row, with single columns replaced. */
function copyJob(job: string, changes: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(changes).map(([column, value]) => `'${column}', ${value}`);
  return `insert into jobs select (j).* from (select jsonb_populate_record(j, jsonb_build_object(${pairs.join(", ")})) j
    from jobs j where id = {${job}}) again`;
}
const another = { id: "gen_random_uuid()", idempotency_key: "'new'" };

export const forbiddenJobs: readonly Forbidden[] = [
  ...intent.map(
    ([column, value]): Forbidden => [
      `another ${column} of a live job`,
      `update jobs set ${column} = ${value} where id = {running}`,
      "OJ002",
      /^I2: /,
    ],
  ),
  ["another input", `update jobs set input = '{"text":"other"}' where id = {running}`, "OJ002", /^I2: /],
  ["no input", "update jobs set input = null where id = {running}", "OJ002", /^I2: /],
  ["other metadata", `update jobs set metadata = '{"tag":"z"}' where id = {queued}`, "OJ002", /^I2: /],
  [
    "a live job stripped",
    "update jobs set input = null, metadata = null, purged_at = onejob_now() where id = {queued}",
    "OJ002",
    /^I2: /,
  ],
  ["a result without a winner", "update jobs set result = '1' where id = {running}", "23514", /jobs_result_of_winner/],
  [
    "a failure written on the way to the archive",
    `update jobs set failure = '{"code":"X"}', purged_at = onejob_now() where id = {succeeded}`,
    "OJ007",
    /^I7: retention/,
  ],
  [
    "a second winner",
    "update jobs set completed_by = {succeeded.first} where id = {succeeded}",
    "OJ007",
    /^I7: a closed job/,
  ],
  [
    "a second winner on the way to the archive",
    "update jobs set completed_by = {succeeded.first}, purged_at = onejob_now() where id = {succeeded}",
    "OJ007",
    /^I7: /,
  ],
  ["another result", "update jobs set result = '2' where id = {succeeded}", "OJ007", /^I7: a closed job/],
  [
    "another result on the way to the archive",
    "update jobs set result = '2', purged_at = onejob_now() where id = {succeeded}",
    "OJ005",
    /^I5: /,
  ],
  [
    "a winner from another job",
    "update jobs set state = 'SUCCEEDED', closed_at = onejob_now(), completed_by = {failed.last} where id = {running}",
    "23503",
    /jobs_completed_by/,
  ],
  [
    "success without a winner",
    "update jobs set state = 'SUCCEEDED', closed_at = onejob_now() where id = {running}",
    "23514",
    /jobs_slot_taken/,
  ],
  [
    "a winner without success",
    "update jobs set completed_by = {running.last} where id = {running}",
    "23514",
    /jobs_slot_taken/,
  ],
  [
    "a succeeded job opened again",
    "update jobs set state = 'QUEUED', closed_at = null, completed_by = null where id = {succeeded}",
    "OJ007",
    /^I7: /,
  ],
  [
    "a cancelled job opened again",
    "update jobs set state = 'QUEUED', closed_at = null where id = {cancelled}",
    "OJ007",
    /^I7: /,
  ],
  [
    "a failed job that runs without a new attempt",
    "update jobs set state = 'RUNNING' where id = {failed}",
    "OJ007",
    /^I7: the lifecycle/,
  ],
  ...ofClosed.map(
    ([column, value]): Forbidden => [
      `another ${column} of a closed job`,
      `update jobs set ${column} = ${value} where id = {succeeded}`,
      "OJ007",
      /^I7: a closed job/,
    ],
  ),
  [
    "a closed job taken out of the archive's hands with more than stripping",
    "update jobs set purged_at = onejob_now(), updated_at = onejob_now() where id = {cancelled}",
    "OJ007",
    /^I7: retention/,
  ],
  ["a version that jumps", "update jobs set version = version + 2 where id = {running}", "OJ006", /^I6: /],
  ["a version that goes back", "update jobs set version = version - 1 where id = {failed}", "OJ006", /^I6: /],
  ["a lower event count", "update jobs set event_count = event_count - 1 where id = {running}", "OJ006", /^I6: /],
  [
    "a lower event count of a closed job",
    "update jobs set event_count = event_count - 1 where id = {succeeded}",
    "OJ006",
    /^I6: /,
  ],
  ["the same key once more", copyJob("queued", { id: "gen_random_uuid()" }), "23505", /jobs_owner_key/],
  ["a job that begins anywhere but QUEUED", copyJob("failed", another), "OJ007", /^I7: a job begins/],
  ["a job without an attempt", copyJob("queued", another), "23503", /jobs_latest_attempt/],
  ["a second job of one id", copyJob("queued", { idempotency_key: "'new'" }), "23505", /jobs_pkey/],
  ["a key of no length", copyJob("queued", { ...another, idempotency_key: "''" }), "23514", /jobs_key_length/],
  ["a job without an event", copyJob("queued", { ...another, event_count: "0" }), "23514", /jobs_counts/],
  ["a priority out of range", "update jobs set priority = 101 where id = {running}", "23514", /jobs_priority_range/],
  [
    "a live job with the time of its end",
    "update jobs set closed_at = onejob_now() where id = {running}",
    "23514",
    /jobs_closed_at/,
  ],
  ["a job deleted", "delete from jobs where id = {succeeded}", "OJ001", /^I1: /],
  ["jobs truncated", "truncate jobs cascade", "OJ001", /^I1: /],
];
