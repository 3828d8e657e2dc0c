/** Reads jobs with all their attempts as one picture of each. It follows nothing and remembers nothing. */
import type { Attempt, Job } from "../domain/job.ts";
import { isLive } from "../domain/lifecycle.ts";
import type { Reads } from "../store/store.ts";
import type { JobSnapshot } from "./ports.ts";

const maxReadings = 3;

/** Whether the attempts belong to the job as it was read, rather than to a moment after it. */
function isOneMoment({ job, attempts }: JobSnapshot): boolean {
  const latest = attempts.at(-1);
  if (latest === undefined || latest.id !== job.latestAttempt) return false;
  // A live attempt carries the job's version; whatever ends it raises the job's.
  if (isLive(latest.state) !== (latest.jobVersion === job.version)) return false;
  return (
    (latest.state === "UNKNOWN") === (job.state === "UNKNOWN") &&
    (latest.state === "QUEUED") === (job.state === "QUEUED")
  );
}

function combine(jobs: readonly Job[], attempts: readonly Attempt[]): JobSnapshot[] {
  const byJob = new Map<string, Attempt[]>(jobs.map((job) => [job.id, []]));
  for (const attempt of attempts) byJob.get(attempt.jobId)?.push(attempt);
  return jobs.map((job) => ({ job, attempts: byJob.get(job.id)?.toSorted((a, b) => a.number - b.number) ?? [] }));
}

/**
 * The jobs that exist. The job is read before its attempts: these may be newer, never older, so that a closed job always
 * comes with its attempts' last states. Where a commit fell between the two, both are read again.
 */
export async function readSnapshots(read: Reads, jobIds: readonly string[]): Promise<Map<string, JobSnapshot>> {
  const snapshots = new Map<string, JobSnapshot>();
  let wanted: readonly string[] = jobIds;
  for (let reading = 0; reading < maxReadings && wanted.length > 0; reading += 1) {
    const jobs = await read.jobs(wanted, null);
    const found = jobs.map((job) => job.id);
    const attempts = found.length === 0 ? [] : await read.attemptsOfJobs(found);
    const pictures = combine(jobs, attempts);
    for (const picture of pictures) snapshots.set(picture.job.id, picture);
    wanted = pictures.filter((picture) => !isOneMoment(picture)).map((picture) => picture.job.id);
  }
  return snapshots;
}
