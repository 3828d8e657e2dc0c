/** Act 3: the inkjet jams, falls silent and answers too late, while an operator has the laser take over. */
import { randomUUID } from "node:crypto";
import { type Act, expectAnswer, idOf, sha256Of, sheetsOf, showCall, whileFollowing } from "./act.ts";
import { expectSame } from "./complaint.ts";
import type { FollowedJob } from "./follow-job.ts";

export async function playLateInkjet(act: Act): Promise<string> {
  const { api, stage, document } = act;
  stage.heading("3  An answer that comes too late");
  stage.say("The same document on the inkjet. It jams, which is certain: the next try follows by itself.");
  stage.say();
  const idempotencyKey = `demo-${randomUUID()}`;
  const request = { idempotencyKey, operation: "print", provider: "inkjet", input: document };
  const created = await showCall(stage, { name: "createJob", ask: () => api.createJob(request) });
  expectAnswer("createJob", created, "CreateJobSuccess");
  const jobId = idOf(created.job);

  await whileFollowing(act, jobId, async (job) => {
    const silent = await waitForSilence(act, job);
    await freeTheJob(act, jobId, silent);
    await letTheLaserPrint(act, job, jobId, silent);
    await waitForTheLateAnswer(act, job, jobId);
  });
  return jobId;
}

/** Returns the id of the attempt whose outcome nobody knows. */
async function waitForSilence({ stage }: Act, job: FollowedJob): Promise<string> {
  await job.until({ type: "ATTEMPT_FAILED", attempt: 1, unless: ["ATTEMPT_SUCCEEDED", "ATTEMPT_UNKNOWN"] });
  const retried = await job.until({ type: "ATTEMPT_QUEUED", attempt: 2 });
  expectSame("the cause of attempt 2", retried.cause, "POLICY");
  const unknown = await job.until({
    type: "ATTEMPT_UNKNOWN",
    attempt: 2,
    unless: ["ATTEMPT_SUCCEEDED", "ATTEMPT_FAILED"],
  });
  expectSame("the cause of UNKNOWN", unknown.cause, "DEADLINE");
  stage.say();
  stage.say("No answer in time. Whether the sheet comes out nobody knows, so the attempt is UNKNOWN");
  stage.say("and not failed: until that is settled, nothing may print the document again.");
  stage.say();
  return idOf(unknown.attempt);
}

async function freeTheJob({ api, stage }: Act, jobId: string, silent: string): Promise<void> {
  const retry = () => api.retryJob({ jobId, afterAttemptId: silent });
  expectAnswer("retryJob", await showCall(stage, { name: "retryJob", ask: retry }), "AttemptInFlight");
  stage.say();
  stage.say("An operator, which without configured tokens is you, decides to wait no longer.");
  stage.say();
  const cancel = () => api.cancelAttempt({ attemptId: silent, reason: "The inkjet is silent." });
  const cancelled = await showCall(stage, { name: "cancelAttempt of attempt 2", ask: cancel });
  expectAnswer("cancelAttempt", cancelled, "CancelAttemptSuccess");
}

async function letTheLaserPrint({ api, stage }: Act, job: FollowedJob, jobId: string, silent: string): Promise<void> {
  await job.until({ type: "JOB_FAILED", attempt: 2 });
  stage.say();
  stage.say("The laser has never proven that it fulfils this operation, so it takes over only by override.");
  stage.say();
  const onLaser = { jobId, afterAttemptId: silent, provider: "laser" };
  const refused = await showCall(stage, { name: "retryJob on the laser", ask: () => api.retryJob(onLaser) });
  expectAnswer("retryJob", refused, "ProviderNotCertified");
  expectSame("the gate's reason", refused.reason ?? null, "NEVER_RUN");
  const override = () => api.retryJob({ ...onLaser, overrideGate: true, reason: "The customer waits at the counter." });
  const started = await showCall(stage, { name: "retryJob on the laser, overrideGate", ask: override });
  expectAnswer("retryJob", started, "RetryJobSuccess");
  await job.until({ type: "JOB_SUCCEEDED", attempt: 3, unless: ["ATTEMPT_FAILED", "ATTEMPT_UNKNOWN"] });
}

async function waitForTheLateAnswer({ api, stage }: Act, job: FollowedJob, jobId: string): Promise<void> {
  if (!job.hasSeen({ type: "RESULT_DISCARDED", attempt: 2 })) {
    stage.say();
    stage.say("The laser has won. And the inkjet is still at it …");
    stage.say();
  }
  await job.until({ type: "RESULT_DISCARDED", attempt: 2 });
  const { result, state, winner } = await api.readJob(jobId);
  const sheets = await sheetsOf(jobId);
  expectSame("the job's state", state, "SUCCEEDED");
  expectSame("the attempt that won", winner?.number ?? null, 3);
  expectSame("the number of sheets in the tray", sheets.length, 2);
  const stray = sheets.find((sheet) => sheet.endsWith("-attempt-2-inkjet.pdf"));
  const won = sheets.find((sheet) => sheet.endsWith("-attempt-3-laser.pdf"));
  expectSame("the inkjet's stray sheet", stray !== undefined, true);
  expectSame("the job's sheet", result?.fileName ?? null, won ?? null);
  expectSame("the job's SHA-256", result?.sha256 ?? null, await sha256Of(won ?? ""));
  const gap = job.events.findIndex((event, index) => event.number !== index + 1);
  expectSame("the place of a gap in the events' numbers", gap, -1);
  stage.say();
  stage.confirm("the late answer changed nothing: attempt 3 on the laser holds the result");
  stage.confirm(`its sheet came out all the same: ${stray}`);
  stage.confirm(`${job.events.length} events, numbered without a gap`);
}
