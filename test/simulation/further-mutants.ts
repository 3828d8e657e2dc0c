/** Further ways in which the store is broken on purpose: the rest of the invariants, and what only shows when commands really meet. */
import type { Mutant } from "./breed-mutant.ts";

const claimFunctions = "drizzle/20261129202050_claim_functions/migration.sql";

export const furtherMutants: readonly Mutant[] = [
  {
    name: "winner replaced by a discard",
    breaks: "a result that comes after another attempt's success takes the slot over from it",
    patches: [
      {
        file: "src/store/write/discard-result.ts",
        find: "set event_count = j.event_count + 1\n",
        replace:
          "set event_count = j.event_count + 1, completed_by = case when j.completed_by is not null then a.id end\n",
      },
    ],
  },
  {
    name: "failure not fenced",
    breaks: "failAttempt, once decided, ends whatever the job is doing by then",
    patches: [
      {
        file: "src/store/write/fail-attempts.ts",
        find: "where j.id = h.job_id and j.version = h.job_version and j.completed_by is null and j.latest_attempt = h.attempt\n          and j.state in ('RUNNING', 'UNKNOWN')",
        replace: "where j.id = h.job_id",
      },
    ],
  },
  {
    name: "retry without comparing",
    breaks: "retryJob starts an attempt whatever became of the job since it was read",
    patches: [
      {
        file: "src/store/write/retry-jobs.ts",
        find: "and j.version = h.version and j.latest_attempt = h.latest and j.state = 'FAILED'",
        replace: "",
      },
    ],
  },
  {
    name: "withdrawal without comparing",
    breaks: "cancelJob closes the job, and the attempt that it has read, whatever became of either",
    patches: [
      {
        file: "src/store/write/cancel-jobs.ts",
        find: "and j.version = h.version and j.latest_attempt = h.latest and j.state = h.state::job_state\n          and j.completed_by is null and j.state <> 'CANCELLED'",
        replace: "",
      },
    ],
  },
  {
    name: "expired certification",
    breaks: "retryJob starts on another provider by a certification that has expired",
    patches: [
      {
        file: "src/store/read/gates.ts",
        find: "case when c.status = 'PASSED' and c.expires_at <= onejob_now() then 'EXPIRED' else c.status::text end",
        replace: "c.status::text",
      },
      {
        file: "src/store/write/retry-jobs.ts",
        find: "and c.status = 'PASSED' and (c.expires_at is null or c.expires_at > onejob_now())",
        replace: "and c.status = 'PASSED'",
      },
    ],
  },
  {
    name: "sweep without a second look",
    breaks: "the sweep makes UNKNOWN what it saw overdue, though a heartbeat or a result came in between",
    patches: [
      {
        file: "src/store/write/expire-attempts.ts",
        find: "where a.id = h.attempt and a.state in ('STARTING', 'RUNNING') and least(a.deadline_at, a.lease_expires_at) <= h.now",
        replace: "where a.id = h.attempt",
      },
    ],
  },
  {
    name: "heartbeat without a token",
    breaks: "anybody's heartbeat extends the lease",
    patches: [
      {
        file: "src/store/write/heartbeat.ts",
        find: "a.id = c.attempt and a.lease_token = c.token and a.state",
        replace: "a.id = c.attempt and a.state",
      },
    ],
  },
  {
    name: "claim before its time",
    breaks: "claimAttempts takes attempts whose run_at has not come",
    patches: [
      {
        file: claimFunctions,
        find: "AND a.owner_id = o.owner AND a.run_at <= due\n",
        replace: "AND a.owner_id = o.owner\n",
      },
    ],
  },
  {
    name: "pause passed over",
    breaks: "claimAttempts takes attempts of a paused provider",
    patches: [
      {
        file: claimFunctions,
        find: "IF EXISTS (SELECT FROM provider_settings s",
        replace: "IF false AND EXISTS (SELECT FROM provider_settings s",
      },
    ],
  },
  {
    name: "claim repeated anew",
    breaks: "a claim repeated with its key takes further attempts",
    patches: [
      {
        file: "src/store/write/claim-attempts.ts",
        find: "claim_key = ${command.claimKey},",
        replace: "claim_key = null,",
      },
    ],
  },
  {
    name: "uncertain effect forgotten",
    breaks: "an attempt cancelled while a worker had it is not marked as of uncertain effect",
    patches: [
      {
        file: "src/store/write/cancel-attempts.ts",
        find: "effect_uncertain = a.state <> 'QUEUED', failure = e.failure",
        replace: "failure = e.failure",
      },
    ],
  },
  {
    name: "another owner's job",
    breaks: "cancelJob does not ask whose job it is",
    patches: [
      {
        file: "src/store/write/cancel-jobs.ts",
        find: "if (view === undefined || (command.scope !== null && view.ownerId !== command.scope))",
        replace: "if (view === undefined)",
      },
    ],
  },
  {
    name: "act off the record",
    breaks: "resolveAttempt writes no entry into the audit log",
    patches: [
      {
        file: "src/store/write/resolve-attempts.ts",
        find: '${audited(sql, "ended")}\n    select e.ord',
        replace: "unaudited as (select 1)\n    select e.ord",
      },
    ],
  },
];
