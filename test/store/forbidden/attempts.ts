/** Every write to an attempt that the invariants forbid, as somebody would type it in psql, with the refusal that it must meet. It runs none. */
import type { Forbidden } from "../../support/write-in-psql.ts";

const madeWith: [string, string][] = [
  ["id", "gen_random_uuid()"],
  ["job_id", "{running}"],
  ["number", "7"],
  ["provider", "'laser'"],
  ["provider_revision", "'2'"],
  ["owner_id", "'bob'"],
  ["operation", "'scan'"],
  ["job_version", "7"],
  ["certification_id", "gen_random_uuid()"],
  ["uncertified_by", "'olga'"],
  ["created_at", "created_at - interval '1 s'"],
];

const ofEnded: [string, string][] = [
  ["state_changed_at", "onejob_now()"],
  ["lease_expires_at", "onejob_now()"],
  ["deadline_at", "onejob_now() + interval '1 h'"],
  ["run_at", "onejob_now()"],
  ["progress", "'{}'"],
  ["provider_request_id", "'x'"],
  ["failure", "'{}'"],
  ["effect_uncertain", "not effect_uncertain"],
  ["worker_id", "'x'"],
  ["finished_at", "onejob_now()"],
];

const attemptColumns =
  "id, job_id, number, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state, state_changed_at, job_version, run_at, created_at, finished_at, certification_id";

/** A new attempt of the failed job, reopened for it as retryJob does; `but` replaces single values. */
function insertAttempt(but: Record<string, string> = {}, reopen = true): string {
  const values = {
    id: "'01890000-0000-7000-8000-000000000001'",
    job: "{failed}",
    number: "2",
    provider: "'inkjet'",
    owner: "'ann'",
    state: "'QUEUED'",
    version: "2",
    finished: "null",
    certification: "null",
    ...but,
  };
  const opened = `update jobs set state = 'QUEUED', failure = null, latest_attempt = ${values.id}, attempt_count = 2 where id = {failed}`;
  const insert = `insert into attempts (${attemptColumns}) values (${values.id}, ${values.job}, ${values.number}, ${values.provider}, '1',
    ${values.owner}, 'print', 1000, 1000, ${values.state}, onejob_now(), ${values.version}, onejob_now(), onejob_now(), ${values.finished}, ${values.certification})`;
  return reopen ? `with opened as (${opened}) ${insert}` : insert;
}

export const forbiddenAttempts: readonly Forbidden[] = [
  ...madeWith.map(
    ([column, value]): Forbidden => [
      `another ${column} of an attempt`,
      `update attempts set ${column} = ${value} where id = {queued.last}`,
      "OJ007",
      /^I7: what an attempt was made with/,
    ],
  ),
  [
    "an ended attempt started again",
    "update attempts set state = 'QUEUED', finished_at = null where id = {failed.last}",
    "OJ007",
    /^I7: the lifecycle/,
  ],
  [
    "an ended attempt with another end",
    "update attempts set state = 'SUCCEEDED' where id = {failed.last}",
    "OJ007",
    /^I7: the lifecycle/,
  ],
  ...ofEnded.map(
    ([column, value]): Forbidden => [
      `another ${column} of an ended attempt`,
      `update attempts set ${column} = ${value} where id = {cancelled.last}`,
      "OJ007",
      /^I7: an attempt that has ended/,
    ],
  ),
  ["another lease token", "update attempts set lease_token = 'stolen' where id = {running.last}", "OJ006", /^I6: /],
  ["no lease token", "update attempts set lease_token = null where id = {running.last}", "OJ006", /^I6: /],
  [
    "an attempt held without a lease",
    "update attempts set state = 'STARTING' where id = {queued.last}",
    "23514",
    /attempts_lease_when_held/,
  ],
  ["a second live attempt", insertAttempt({ job: "{running}" }, false), "23505", /attempts_one_live/],
  [
    "an attempt that begins anywhere but QUEUED",
    insertAttempt({ state: "'SUCCEEDED'", finished: "onejob_now()" }),
    "OJ007",
    /^I7: an attempt begins QUEUED/,
  ],
  ["an attempt with another version than its job's", insertAttempt({ version: "3" }), "OJ003", /^I3: /],
  ["an attempt of another owner than its job's", insertAttempt({ owner: "'bob'" }), "OJ003", /^I3: /],
  [
    "an attempt of a purged job",
    `with stripped as (update jobs set input = null, metadata = null, failure = null, purged_at = onejob_now(),
      state = 'QUEUED', latest_attempt = '01890000-0000-7000-8000-000000000001', attempt_count = 2 where id = {failed})
      ${insertAttempt({}, false)}`,
    "OJ003",
    /^I3: /,
  ],
  ["an attempt with an ended one's version", insertAttempt({ version: "1" }), "23505", /attempts_job_version/],
  ["an attempt whose number skips one", insertAttempt({ number: "3" }), "OJ003", /^I3: /],
  ["an attempt with an ended one's number", insertAttempt({ number: "1" }), "23505", /attempts_job_number/],
  ["an attempt behind its job's back", insertAttempt({}, false), "OJ003", /^I3: /],
  ["an attempt of no job", insertAttempt({ job: "gen_random_uuid()" }, false), "23503", /attempts_job/],
  ["a fallback without a certification", insertAttempt({ provider: "'laser'" }), "OJ009", /^I9: /],
  ...["revoked", "unfinished", "inkjets", "scans"].map(
    (name): Forbidden => [
      `a fallback on a certification that opens no gate: ${name}`,
      insertAttempt({ provider: "'laser'", certification: `{certification.${name}}` }),
      "OJ009",
      /^I9: /,
    ],
  ),
  [
    "an attempt on a certification that does not exist",
    insertAttempt({ certification: "gen_random_uuid()" }),
    "23503",
    /attempts_certification/,
  ],
  ["a second attempt of one id", insertAttempt({ id: "{failed.last}" }), "23505", /attempts_pkey/],
  [
    "a live attempt with the time of its end",
    "update attempts set finished_at = onejob_now() where id = {running.last}",
    "23514",
    /attempts_finished/,
  ],
  [
    "two attempts in one slot of a claim",
    "update attempts set claimed_by = 'token', claim_key = 'key', claim_slot = 1 where id in ({running.last}, {queued.last})",
    "23505",
    /attempts_claim_slot/,
  ],
  ["an attempt deleted", "delete from attempts where id = {succeeded.first}", "OJ001", /^I1: /],
  ["attempts truncated", "truncate attempts cascade", "OJ001", /^I1: /],
];
