/** Every write to the log that the invariants forbid, as somebody would type it in psql, with the refusal that it must meet. It runs none. */
import type { Forbidden } from "../../support/write-in-psql.ts";

function insertEvent(job: string, number: string): string {
  return `insert into job_events (job_id, number, type, job_state, cause, at)
    values ({${job}}, ${number}, 'JOB_FAILED', 'FAILED', 'POLICY', onejob_now())`;
}

const lastNumber = (job: string) => `(select event_count from jobs where id = {${job}})`;

export const forbiddenEvents: readonly Forbidden[] = [
  ["an event that skips a number", insertEvent("failed", `${lastNumber("failed")} + 2`), "OJ008", /^I8: /],
  ["an event beyond its job's count", insertEvent("failed", `${lastNumber("failed")} + 1`), "OJ008", /^I8: /],
  ["an event with a number that is taken", insertEvent("failed", lastNumber("failed")), "23505", /job_events_pkey/],
  [
    "an event of no job",
    "insert into job_events (job_id, number, type, job_state, cause, at) values (gen_random_uuid(), 1, 'JOB_CREATED', 'QUEUED', 'OWNER', onejob_now())",
    "OJ008",
    /^I8: /,
  ],
  [
    "an event changed",
    "update job_events set at = at - interval '1 h' where job_id = {failed} and number = 1",
    "OJ008",
    /^I8: /,
  ],
  [
    "an event changed into itself",
    "update job_events set detail = detail where job_id = {succeeded} and number = 1",
    "OJ008",
    /^I8: /,
  ],
  [
    "a discard recorded a second time",
    `with counted as (update jobs set event_count = event_count + 1 where id = {succeeded} returning event_count)
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, result_digest, at)
      select e.job_id, c.event_count, e.type, e.job_state, e.attempt_id, e.attempt_state, e.cause, e.result_digest, e.at
      from job_events e, counted c where e.job_id = {succeeded} and e.result_digest is not null`,
    "23505",
    /job_events_one_discard/,
  ],
  ["an event deleted", "delete from job_events where job_id = {succeeded} and number = 1", "OJ008", /^I8: /],
  // With cascade, since PostgreSQL itself refuses to truncate what foreign keys refer to.
  ["all events truncated", "truncate job_events cascade", "OJ008", /^I8: /],
  ["all attempts truncated", "truncate attempts cascade", "OJ001", /^I1: /],
];
