/** Holds the model's world against the rows of the database: takes over the ids that the database chose, and names what differs. */
import { type ModelAttempt, type ModelJob, placeOf, type World } from "./model/world.ts";
import type { AttemptRow, JobRow, Rows } from "./read-rows.ts";

type Picture = Readonly<Record<string, unknown>>;

/** What is compared of an attempt: all that the model knows of it. */
function attemptPicture(attempt: ModelAttempt | AttemptRow): Picture {
  const { jobId: _jobId, ...picture } = attempt as AttemptRow;
  return picture;
}

const modelPictures = new WeakMap<ModelJob, Picture>();

/** A job of the model is never changed once its world is made, so its picture is kept. */
function modelPicture(job: ModelJob): Picture {
  const known = modelPictures.get(job);
  if (known !== undefined) return known;
  const { intent: _intent, discards, events, attempts, latest, ...plain } = job;
  const picture = {
    ...plain,
    latest,
    eventCount: events.length,
    attemptCount: attempts.length,
    attempts: attempts.map(attemptPicture),
    events: events.map((event) => event.join(" ")),
    discards: discards.length,
  };
  modelPictures.set(job, picture);
  return picture;
}

const rowPictures = new WeakMap<JobRow, Picture>();

function rowPicture(row: JobRow): Picture {
  const picture = rowPictures.get(row) ?? drawRow(row);
  rowPictures.set(row, picture);
  return picture;
}

function drawRow(row: JobRow): Picture {
  const {
    givenDigest: _given,
    resolvedDigest: _resolved,
    latestAttempt,
    completedBy,
    attempts,
    events,
    ...plain
  } = row;
  const numbers = new Map(attempts.map((one) => [one.id, one.number]));
  const numberOf = (id: string | null): number | string | null =>
    id === null ? null : (numbers.get(id) ?? `unknown ${id}`);
  return {
    ...plain,
    latest: numberOf(latestAttempt),
    completedBy: numberOf(completedBy),
    attempts: attempts.map(attemptPicture),
    events: events.map((one) =>
      [one.type, one.jobState, numberOf(one.attemptId), one.attemptState, one.cause, one.actor, one.at].join(" "),
    ),
    discards: events.filter((one) => one.digest !== null).length,
  };
}

function isObject(value: unknown): value is Picture {
  return typeof value === "object" && value !== null;
}

/** One line for each place where the two differ, as far as they go. */
export function differencesOf(path: string, model: unknown, database: unknown): string[] {
  if (Object.is(model, database)) return [];
  if (isObject(model) && isObject(database)) {
    const names = new Set([...Object.keys(model), ...Object.keys(database)]);
    return [...names].flatMap((name) => differencesOf(`${path}.${name}`, model[name], database[name]));
  }
  const say = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
  return [`${path}: the model says ${say(model)}, the database ${say(database)}`];
}

/** The world with the ids of new jobs and attempts as the database chose them. */
export function adopt(world: World, rows: Rows): World {
  const byPlace = new Map(rows.jobs.map((row) => [placeOf(row.owner, row.key), row]));
  let jobs: Map<string, ModelJob> | null = null;
  for (const [place, job] of world.jobs) {
    if (job.id !== null && job.attempts.every((attempt) => attempt.id !== null)) continue;
    const row = byPlace.get(place);
    jobs ??= new Map(world.jobs);
    jobs.set(place, {
      ...job,
      id: job.id ?? row?.id ?? null,
      attempts: job.attempts.map((one) => ({
        ...one,
        id: one.id ?? row?.attempts.find((seen) => seen.number === one.number)?.id ?? null,
      })),
    });
  }
  return jobs === null ? world : { ...world, jobs };
}

/** Which rows each job of the model has been found equal to: neither ever changes. */
const equals = new WeakMap<ModelJob, JobRow>();

function compareJob(name: string, job: ModelJob | undefined, row: JobRow | undefined): string[] {
  if (job === undefined || row === undefined)
    return differencesOf(name, job && modelPicture(job), row && rowPicture(row));
  if (equals.get(job) === row) return [];
  const differences = differencesOf(name, modelPicture(job), rowPicture(row));
  if (differences.length === 0) equals.set(job, row);
  return differences;
}

export function compare(world: World, rows: Rows, nameOf: (id: string) => string): string[] {
  const byPlace = new Map(rows.jobs.map((row) => [placeOf(row.owner, row.key), row]));
  const places = new Set([...world.jobs.keys(), ...byPlace.keys()]);
  const ofJobs = [...places].flatMap((place) => {
    const [job, row] = [world.jobs.get(place), byPlace.get(place)];
    const name = `${nameOf(row?.id ?? job?.id ?? "")} (${place})`;
    return compareJob(name, job, row);
  });
  return [
    ...ofJobs,
    ...differencesOf("paused providers", [...world.paused].toSorted(), rows.paused),
    ...differencesOf("audit log", world.acts.toSorted(), rows.acts),
    ...differencesOf("rows that belong to no job", { attempts: 0, events: 0 }, rows.strays),
  ];
}
