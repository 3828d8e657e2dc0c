/** The ways in which the store is broken on purpose, each as exact changes of its own code or SQL. The simulation must catch every one. */
import type { Mutant } from "./breed-mutant.ts";
import { furtherMutants } from "./further-mutants.ts";

const complete = "src/store/write/complete-attempts.ts";
const fence = `where j.id = h.job_id and j.version = h.job_version and j.completed_by is null and j.latest_attempt = h.attempt
        and j.state in ('RUNNING', 'UNKNOWN')`;

const promised: readonly Mutant[] = [
  {
    name: "fence removed",
    breaks:
      "completeAttempt takes the slot without comparing the version and the newest attempt with the attempt's fence",
    patches: [
      {
        file: complete,
        find: fence,
        replace: "where j.id = h.job_id and j.completed_by is null and j.state in ('RUNNING', 'UNKNOWN')",
      },
    ],
  },
  {
    name: "state-only guard",
    breaks: "completeAttempt asks neither for the token nor for the fence, only for the job's state",
    patches: [
      {
        file: complete,
        find: "join attempts a on a.id = c.attempt and a.lease_token = c.token",
        replace: "join attempts a on a.id = c.attempt",
      },
      { file: complete, find: fence, replace: "where j.id = h.job_id and j.state in ('RUNNING', 'UNKNOWN')" },
    ],
  },
  {
    name: "version left alone by a failure",
    breaks: "failAttempt ends the attempt and keeps the job's version",
    patches: [
      {
        file: "src/store/write/fail-attempts.ts",
        find: "update jobs j set version = j.version + 1, updated_at = h.now,",
        replace: "update jobs j set version = j.version, updated_at = h.now,",
      },
    ],
  },
  {
    name: "version bumped by progress",
    breaks: "a heartbeat with progress raises the job's version",
    patches: [
      {
        file: "src/store/write/heartbeat.ts",
        find: "h.progress is not null as told\n      )",
        replace: `h.progress is not null as told
      ),
      bumped as (update jobs j set version = j.version + 1 from beaten b where j.id = b.job_id and b.told)`,
      },
    ],
  },
  {
    name: "timeout to FAILED",
    breaks: "the sweep makes overdue attempts FAILED in place of UNKNOWN",
    patches: [
      {
        file: "src/store/write/expire-attempts.ts",
        find: "update attempts a set state = 'UNKNOWN', state_changed_at = h.now,",
        replace: "update attempts a set state = 'FAILED', finished_at = h.now, state_changed_at = h.now,",
      },
      {
        file: "src/store/write/expire-attempts.ts",
        find: "update jobs j set state = 'UNKNOWN', event_count",
        replace: "update jobs j set state = 'FAILED', version = j.version + 1, event_count",
      },
      {
        file: "src/store/write/expire-attempts.ts",
        find: "'ATTEMPT_UNKNOWN', 'UNKNOWN', m.attempt, 'UNKNOWN'",
        replace: "'ATTEMPT_FAILED', 'FAILED', m.attempt, 'FAILED'",
      },
    ],
  },
  {
    name: "no live-attempt index",
    breaks: "the unique index attempts_one_live is missing; the statements keep the rule, someone in psql does not",
    patches: [
      {
        file: "drizzle/20261129165209_tables/migration.sql",
        find: 'CREATE UNIQUE INDEX "attempts_one_live"',
        replace: 'CREATE INDEX "attempts_one_live"',
      },
    ],
  },
  {
    name: "digest without provider",
    breaks: "the intent's digest leaves the provider out",
    patches: [
      { file: "src/domain/intent.ts", find: "    ...(provider === undefined ? {} : { provider }),\n", replace: "" },
    ],
  },
  {
    name: "discard that writes the slot",
    breaks: "a discarded result makes its attempt the winner all the same",
    patches: [
      {
        file: "src/store/write/discard-result.ts",
        find: "set event_count = j.event_count + 1\n",
        replace: "set event_count = j.event_count + 1, state = 'SUCCEEDED', completed_by = a.id, closed_at = h.now\n",
      },
    ],
  },
  {
    name: "events numbered outside the lock",
    breaks: "completeAttempt numbers its events from the log as it stood before it waited for the job's row",
    patches: [
      {
        file: complete,
        find: "select w.id, w.event_count - 2 + e.step, e.type",
        replace: "select w.id, (select max(p.number) from job_events p where p.job_id = w.id) + e.step, e.type",
      },
    ],
  },
];

export const mutants: readonly Mutant[] = [...promised, ...furtherMutants];
