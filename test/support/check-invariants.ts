/**
 * The invariants as SQL over all jobs, attempts and events of a database. It trusts neither triggers nor constraints, and
 * shares nothing with the store but the transition tables.
 */
import type postgres from "postgres";
import { attemptTransitions, jobTransitions } from "../../src/domain/lifecycle.ts";

function moves(transitions: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(transitions)
    .flatMap(([from, targets]) => targets.map((to) => `('${from}', '${to}')`))
    .join(", ");
}

const live = "('QUEUED', 'STARTING', 'RUNNING', 'UNKNOWN')";
const ended = "('SUCCEEDED', 'FAILED', 'CANCELLED')";

/** How a job shows, beside its newest attempt. */
const shown = `('QUEUED', 'QUEUED'), ('RUNNING', 'STARTING'), ('RUNNING', 'RUNNING'), ('UNKNOWN', 'UNKNOWN'),
  ('SUCCEEDED', 'SUCCEEDED'), ('FAILED', 'FAILED'), ('FAILED', 'CANCELLED'), ('CANCELLED', 'FAILED'), ('CANCELLED', 'CANCELLED')`;

/** cancelJob writes the end of the attempt right before the end of the job, unless there was none to end. */
const closedWithoutAttempt = `exists (select from job_events e where e.job_id = j.id and e.type = 'JOB_CANCELLED'
  and not exists (select from job_events p where p.job_id = j.id and p.number = e.number - 1 and p.type = 'ATTEMPT_CANCELLED'))`;

/** An attempt's changes of state, as the log tells them: a discard is none, and what it says of the job is not about the attempt. */
const told = `(select e.*, lag(e.attempt_state) over attempt as before,
    row_number() over attempt as step, count(*) over (partition by e.attempt_id) as steps
  from job_events e where e.type::text like 'ATTEMPT\\_%' window attempt as (partition by e.attempt_id order by e.number))`;

const jobChain = `(select e.*, lag(e.job_state) over (partition by e.job_id order by e.number) as before,
    lag(e.at) over (partition by e.job_id order by e.number) as earlier from job_events e)`;

/** Each rule with the query of what breaks it: a column `culprit`, and no row where all is well. */
const rules: readonly (readonly [rule: string, culprits: string])[] = [
  [
    "I1: one job for each owner and key",
    `select min(id::text) as culprit from jobs group by owner_id, idempotency_key having count(*) > 1`,
  ],
  [
    "I3: at most one live attempt",
    `select job_id as culprit from attempts where state in ${live} group by job_id having count(*) > 1`,
  ],
  [
    "I5: the slot is taken exactly when the job SUCCEEDED",
    `select id as culprit from jobs where (completed_by is not null) <> (state = 'SUCCEEDED')`,
  ],
  [
    "I5: the winner is a SUCCEEDED attempt of the job",
    `select j.id as culprit from jobs j where j.completed_by is not null
       and not exists (select from attempts a where a.id = j.completed_by and a.job_id = j.id and a.state = 'SUCCEEDED')`,
  ],
  [
    "I5: at most one attempt SUCCEEDED",
    `select job_id as culprit from attempts where state = 'SUCCEEDED' group by job_id having count(*) > 1`,
  ],
  [
    "I5: an attempt SUCCEEDED only as the winner",
    `select j.id as culprit from jobs j join attempts a on a.job_id = j.id where a.state = 'SUCCEEDED' and a.id is distinct from j.completed_by`,
  ],
  [
    "I5: no result outside the slot",
    `select id as culprit from jobs where result is not null and completed_by is null`,
  ],
  [
    "I4: an UNKNOWN attempt is of uncertain effect",
    `select job_id as culprit from attempts where state = 'UNKNOWN' and not effect_uncertain`,
  ],
  [
    "I6: the version is one, and one for each end",
    `select j.id as culprit from jobs j where j.version <> 1 + (${closedWithoutAttempt})::int
       + (select count(*) from attempts a where a.job_id = j.id and a.state in ${ended})`,
  ],
  [
    "I6: an attempt's fence is the version after the ends before it",
    `select a.job_id as culprit from attempts a where a.job_version <>
       1 + (select count(*) from attempts b where b.job_id = a.job_id and b.number < a.number and b.state in ${ended})`,
  ],
  [
    "I6: no two attempts share a fence",
    `select job_id as culprit from attempts group by job_id, job_version having count(*) > 1`,
  ],
  [
    "I6: the fence of a live attempt is its job's version",
    `select j.id as culprit from jobs j join attempts a on a.job_id = j.id where a.state in ${live} and a.job_version <> j.version`,
  ],
  [
    "a live attempt is its job's newest",
    `select j.id as culprit from jobs j join attempts a on a.job_id = j.id where a.state in ${live} and a.id <> j.latest_attempt`,
  ],
  [
    "the newest attempt is the one with the highest number",
    `select j.id as culprit from jobs j where not exists (select from attempts a where a.id = j.latest_attempt and a.job_id = j.id
       and a.number = (select max(b.number) from attempts b where b.job_id = j.id))`,
  ],
  [
    "attempts are numbered without gaps up to the count",
    `select j.id as culprit from jobs j left join attempts a on a.job_id = j.id
       group by j.id having count(a.id) <> j.attempt_count or min(a.number) <> 1 or max(a.number) <> j.attempt_count`,
  ],
  [
    "a job's state follows its newest attempt",
    `select j.id as culprit from jobs j join attempts a on a.id = j.latest_attempt where (j.state::text, a.state::text) not in (${shown})`,
  ],
  [
    "an attempt has finished exactly when it has ended",
    `select job_id as culprit from attempts where (finished_at is not null) <> (state in ${ended})`,
  ],
  [
    "a lease is held exactly while STARTING or RUNNING",
    `select job_id as culprit from attempts where (lease_expires_at is not null) <> (state in ('STARTING', 'RUNNING'))`,
  ],
  [
    "a claim leaves token, start and deadline",
    `select job_id as culprit from attempts where num_nulls(lease_token, started_at, deadline_at) not in (0, 3)`,
  ],
  [
    "a job is closed exactly when SUCCEEDED or CANCELLED",
    `select id as culprit from jobs where (closed_at is not null) <> (state in ('SUCCEEDED', 'CANCELLED'))`,
  ],
  [
    "I8: events are numbered without gaps up to the count",
    `select j.id as culprit from jobs j left join job_events e on e.job_id = j.id
       group by j.id having count(e.number) <> j.event_count or min(e.number) <> 1 or max(e.number) <> j.event_count`,
  ],
  ["I8: the times of events never run backwards", `select job_id as culprit from ${jobChain} c where at < earlier`],
  [
    "I8: the log begins with JOB_CREATED, once",
    `select job_id as culprit from job_events where (number = 1) <> (type = 'JOB_CREATED')`,
  ],
  [
    "I8: the log ends in the job's state",
    `select j.id as culprit from jobs j join job_events e on e.job_id = j.id and e.number = j.event_count where e.job_state <> j.state`,
  ],
  [
    "I8: the log tells only moves that a job may make",
    `select job_id as culprit from ${jobChain} c where before <> job_state and (before::text, job_state::text) not in (${moves(jobTransitions)})`,
  ],
  [
    "I8: each change of an attempt's state is told once, from QUEUED to where it stands",
    `select a.job_id as culprit from attempts a left join ${told} t on t.attempt_id = a.id
       group by a.id having count(t.number) = 0
         or bool_or(t.step = 1 and t.attempt_state <> 'QUEUED') or bool_or(t.step = t.steps and t.attempt_state <> a.state)
         or bool_or(t.step > 1 and (t.before::text, t.attempt_state::text) not in (${moves(attemptTransitions)}))
         or bool_or(t.type::text <> 'ATTEMPT_' || t.attempt_state)`,
  ],
  [
    "I8: the end of a job is told once",
    `select j.id as culprit from jobs j join job_events e on e.job_id = j.id
       group by j.id having count(*) filter (where e.type = 'JOB_SUCCEEDED') <> (j.state = 'SUCCEEDED')::int
         or count(*) filter (where e.type = 'JOB_CANCELLED') <> (j.state = 'CANCELLED')::int`,
  ],
  [
    "a late result is marked on its attempt exactly when it is told",
    `select a.job_id as culprit from attempts a where (a.late_result_at is not null)
       <> exists (select from job_events e where e.attempt_id = a.id and e.type = 'RESULT_DISCARDED')`,
  ],
  [
    "I5: a discard is told once for each attempt and result",
    `select min(job_id::text) as culprit from job_events where type = 'RESULT_DISCARDED' group by attempt_id, result_digest having count(*) > 1`,
  ],
  [
    "attempts and events belong to a job",
    `select job_id as culprit from attempts where job_id not in (select id from jobs)
       union select job_id from job_events where job_id not in (select id from jobs)`,
  ],
];

const query = rules
  .map(([rule, culprits]) => `select '${rule.replaceAll("'", "''")}' as rule, culprit::text from (${culprits}) broken`)
  .join("\nunion all\n");

/** One sentence for each rule and job that breaks it, all from one snapshot; none where everything holds. */
export async function checkInvariants(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ rule: string; culprit: string }[]>(
    `select distinct * from (${query}) found order by 1, 2`,
  );
  return rows.map(({ rule, culprit }) => `${rule}: ${culprit}`);
}
