/**
 * The design's invariants over the rows of one moment and the moment before it. It knows neither the store nor the model:
 * what it finds is wrong whatever was asked.
 */
import type { AttemptRow, EventRow, JobRow, Rows } from "./read-rows.ts";

const live = ["QUEUED", "STARTING", "RUNNING", "UNKNOWN"];
const held = ["STARTING", "RUNNING"];
const isLive = (one: AttemptRow): boolean => live.includes(one.state);
const isClosed = (job: JobRow): boolean => job.state === "SUCCEEDED" || job.state === "CANCELLED";
const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function repeats(values: readonly (string | number | null)[]): boolean {
  const given = values.filter((value) => value !== null);
  return new Set(given).size !== given.length;
}

/** Attempts that have ended, and jobs closed without one to end. */
function endsOf(job: JobRow): number {
  const alone = job.events.some(
    (one, index) => one.type === "JOB_CANCELLED" && job.events[index - 1]?.type !== "ATTEMPT_CANCELLED",
  );
  return job.attempts.filter((one) => !isLive(one)).length + (alone ? 1 : 0);
}

function shownState(job: JobRow): string[] {
  const latest = job.attempts.find((one) => one.id === job.latestAttempt);
  if (latest === undefined) return [];
  if (isLive(latest)) return [latest.state === "STARTING" ? "RUNNING" : latest.state];
  return latest.state === "SUCCEEDED" ? ["SUCCEEDED"] : ["FAILED", "CANCELLED"];
}

/** Each rule says true where a job keeps it. */
const rules: Readonly<Record<string, (job: JobRow) => boolean>> = {
  "I3: at most one live attempt": (job) => job.attempts.filter(isLive).length <= 1,
  "I3: a live attempt is its job's newest": (job) =>
    job.attempts.every((one) => !isLive(one) || one.id === job.latestAttempt),
  "I4: an UNKNOWN attempt is of uncertain effect": (job) =>
    job.attempts.every((one) => one.state !== "UNKNOWN" || one.uncertain),
  "I4: time alone makes no attempt FAILED": (job) =>
    job.events.every((one) => !["DEADLINE", "LEASE"].includes(one.cause) || one.type === "ATTEMPT_UNKNOWN"),
  "I5: the slot is taken exactly when the job SUCCEEDED": (job) =>
    (job.completedBy !== null) === (job.state === "SUCCEEDED"),
  "I5: only the winner SUCCEEDED": (job) =>
    job.attempts.every((one) => (one.state === "SUCCEEDED") === (one.id === job.completedBy)),
  "I5: no result outside the slot": (job) => job.result === null || job.completedBy !== null,
  "I5: a discard is told once for each attempt and result": (job) =>
    !repeats(job.events.map((one) => (one.digest === null ? null : `${one.attemptId} ${one.digest}`))),
  "I5: a discard keeps digest and size, never the result": (job) =>
    job.events.every((one) => one.type !== "RESULT_DISCARDED" || (one.told === "bytes+digest" && one.digest !== null)),
  "I6: the version is one, and one for each end": (job) => job.version === 1 + endsOf(job),
  "I6: each fence is the version after the ends before it": (job) =>
    job.attempts.every((one) => one.fence === one.number),
  "I6: a live attempt's fence is its job's version": (job) =>
    job.attempts.every((one) => !isLive(one) || one.fence === job.version),
  "I6: a lease is held exactly while STARTING or RUNNING": (job) =>
    job.attempts.every((one) => (one.leaseExpiresAt !== null) === held.includes(one.state)),
  "I7: what has ended says when": (job) =>
    job.attempts.every((one) => (one.finishedAt === null) === isLive(one)) && (job.closedAt !== null) === isClosed(job),
  "I8: events are numbered without gaps up to the count": (job) =>
    job.events.length === job.eventCount && job.events.every((one, index) => one.number === index + 1),
  "I8: the times of events never run backwards": (job) =>
    job.events.every((one, index) => one.at >= (job.events[index - 1]?.at ?? 0)),
  "I8: the log begins with JOB_CREATED and ends in the job's state": (job) =>
    job.events[0]?.type === "JOB_CREATED" && job.events.at(-1)?.jobState === job.state,
  "I8: each change of an attempt's state is told once, in order": (job) =>
    job.attempts.every((one) => isToldRight(job, one)),
  "I9: another provider only certified or overridden": (job) =>
    job.attempts.every(
      (one) => one.provider === job.provider || one.certificationId !== null || one.uncertifiedBy !== null,
    ),
  "attempts are numbered without gaps up to the count": (job) =>
    job.attempts.length === job.attemptCount && job.attempts.every((one, index) => one.number === index + 1),
  "the newest attempt has the highest number": (job) => job.attempts.at(-1)?.id === job.latestAttempt,
  "a job's state follows its newest attempt": (job) => shownState(job).includes(job.state),
  "a late result is marked exactly when it is told": (job) =>
    job.attempts.every(
      (one) =>
        (one.lateResultAt !== null) === job.events.some((event) => event.digest !== null && event.attemptId === one.id),
    ),
};

function isToldRight(job: JobRow, attempt: AttemptRow): boolean {
  const told = job.events.filter((one) => one.attemptId === attempt.id && one.type.startsWith("ATTEMPT_"));
  const names = told.map((one) => one.type);
  return (
    names[0] === "ATTEMPT_QUEUED" &&
    names.at(-1) === `ATTEMPT_${attempt.state}` &&
    !repeats(names) &&
    told.every((one) => one.type === `ATTEMPT_${one.attemptState}`)
  );
}

const intentOf = ({
  id,
  owner,
  key,
  givenDigest,
  resolvedDigest,
  operation,
  provider,
  fallbacks,
}: JobRow): unknown[] => [id, owner, key, givenDigest, resolvedDigest, operation, provider, fallbacks];
const madeWith = ({
  id,
  number,
  provider,
  revision,
  fence,
  certificationId,
  uncertifiedBy,
  createdAt,
}: AttemptRow): unknown[] => [id, number, provider, revision, fence, certificationId, uncertifiedBy, createdAt];
const endOf = ({ lateResultAt: _late, ...rest }: AttemptRow): unknown => rest;
const closedPart = (job: JobRow): unknown[] => [
  job.state,
  job.version,
  job.latestAttempt,
  job.completedBy,
  job.closedAt,
  job.updatedAt,
];
const logPart = (events: readonly EventRow[], length: number): unknown => events.slice(0, length);

/** Each rule says true where a job keeps it from one moment to the next. */
const steps: Readonly<Record<string, (was: JobRow, is: JobRow) => boolean>> = {
  "I2: the intent never changes": (was, is) => same(intentOf(was), intentOf(is)),
  "I2: the input goes only by retention": (was, is) => is.purgedAt !== null || same(was.input, is.input),
  "I5: the slot never changes": (was, is) =>
    was.completedBy === null ||
    (was.completedBy === is.completedBy && (is.purgedAt !== null || same(was.result, is.result))),
  "I6: the version goes up, by the ends in between": (was, is) => is.version - was.version === endsOf(is) - endsOf(was),
  "I6: what an attempt was made with never changes": (was, is) =>
    was.attempts.every((one, index) =>
      same(madeWith(one), is.attempts[index] === undefined ? null : madeWith(is.attempts[index])),
    ),
  "I6: a token never changes": (was, is) =>
    was.attempts.every((one, index) => one.token === null || one.token === is.attempts[index]?.token),
  "I7: an attempt that has ended never changes": (was, is) =>
    was.attempts.every(
      (one, index) => isLive(one) || (is.attempts[index] !== undefined && same(endOf(one), endOf(is.attempts[index]))),
    ),
  "I7: a closed job never changes": (was, is) => !isClosed(was) || same(closedPart(was), closedPart(is)),
  "I8: the log is only added to": (was, is) => same(was.events, logPart(is.events, was.events.length)),
};

/** One sentence for each rule and job that breaks it. `released`: a key may have been released in between, and its job be gone. */
export function brokenRules(before: Rows, rows: Rows, released: boolean, nameOf: (id: string) => string): string[] {
  const earlier = new Map(before.jobs.map((job) => [job.id, job]));
  const broken = rows.jobs.flatMap((job) => {
    const was = earlier.get(job.id);
    // Read as before, so it is the same object, and was checked then.
    if (was === job) return [];
    const names = Object.entries(rules).flatMap(([name, keeps]) => (keeps(job) ? [] : [name]));
    if (was !== undefined)
      names.push(...Object.entries(steps).flatMap(([name, keeps]) => (keeps(was, job) ? [] : [name])));
    return names.map((name) => `${name}: ${nameOf(job.id)}`);
  });
  const kept = new Set(rows.jobs.map((job) => job.id));
  const gone = released ? [] : before.jobs.filter((job) => !kept.has(job.id));
  if (repeats(rows.jobs.map((job) => `${job.owner} ${job.key}`))) broken.push("I1: one job for each owner and key");
  if (repeats(rows.jobs.flatMap((job) => job.attempts.map((one) => one.token))))
    broken.push("I6: a token belongs to one attempt");
  return [...broken, ...gone.map((job) => `I1: a job is gone whose key nobody released: ${nameOf(job.id)}`)];
}
