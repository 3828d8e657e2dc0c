/** The fields of JobEvent, its types and its causes, each by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { EventView } from "../../support/api-answers.ts";
import { claimedJob } from "../../support/api-reach.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, startWorld, type World } from "../../support/contract-world.ts";
import { waitUntil } from "../../support/wait-until.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf("JobEvent", "JobEventType", "EventCause");
const log = <Event = EventView>(jobId: string, selection: string) =>
  look<Event[]>(world.ann, jobId, `events { type ${selection} }`);
const done = async () => (await world.in("SUCCEEDED")).jobId;

/** Cancelled while a worker had it, whose result came all the same. */
async function lateJob(): Promise<string> {
  const { jobId, attemptId, held } = await world.fresh("RUNNING");
  await world.operator.cancelAttempt(attemptId, "given up");
  await held?.complete({ pages: 1 });
  return jobId;
}

/** Its provider will not do it, and the fallback is not certified. */
async function refusedJob(): Promise<string> {
  const { jobId, held } = await world.fresh("RUNNING");
  await held?.fail("DEFINITE", { remedy: "OTHER_PROVIDER" });
  return jobId;
}

/** A job that its own time has made UNKNOWN. */
async function lapsedJob(operation: "quick" | "fragile"): Promise<string> {
  const { job } = await claimedJob(world, operation);
  await waitUntil("the attempt is UNKNOWN", async () => (await world.ann.job(job.id)).state === "UNKNOWN");
  return job.id;
}

promise("JobEvent.jobId", "is the job's", async () => {
  const jobId = await done();
  for (const event of await log(jobId, "jobId")) expect(event.jobId).toBe(jobId);
});

promise("JobEvent.number", "counts 1, 2, 3 … without gaps", async () => {
  const numbers = (await log(await done(), "number")).map((event) => event.number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

promise("JobEvent.type", "says what happened", async () => {
  const types = (await log(await done(), "")).map((event) => event.type);
  expect(types).toEqual(["JOB_CREATED", "ATTEMPT_QUEUED", "ATTEMPT_STARTING", "ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
});

promise("JobEvent.jobState", "is the job's state right after", async () => {
  const events = await log(await done(), "jobState");
  expect(events.map((event) => event.jobState)).toEqual(["QUEUED", "QUEUED", "RUNNING", "SUCCEEDED", "SUCCEEDED"]);
});

promise("JobEvent.attempt", "is the one that the event is about, null for the job's own", async () => {
  const { jobId, attemptId } = await world.in("SUCCEEDED");
  const [created, queued] = await log(jobId, "attempt { id }");
  expect(created?.attempt).toBeNull();
  expect(queued?.attempt).toEqual({ id: attemptId });
});

promise("JobEvent.attemptState", "is the attempt's state right after, null without one", async () => {
  const states = (await log(await done(), "attemptState")).map((event) => event.attemptState);
  expect(states.slice(0, 4)).toEqual([null, "QUEUED", "STARTING", "SUCCEEDED"]);
});

promise("JobEvent.cause", "is the role of whoever did it", async () => {
  const causes = (await log(await done(), "cause")).map((event) => event.cause);
  expect(causes).toEqual(["OWNER", "OWNER", "WORKER", "WORKER", "WORKER"]);
});

promise("JobEvent.actor", "is who did it, null where it was no caller", async () => {
  const actors = (await log(await done(), "actor")).map((event) => event.actor);
  expect(actors.slice(0, 3)).toEqual(["ann", "ann", "print-shop"]);
  const { jobId, attemptId } = await world.lostPoster();
  const inServer = (await log(jobId, "actor")).find((event) => event.type === "ATTEMPT_STARTING");
  expect(inServer?.actor).toBe(await look(world.ann, attemptId, "workerId"));
  const lapsed = (await log(await lapsedJob("quick"), "actor")).at(-1);
  expect(lapsed).toEqual({ type: "ATTEMPT_UNKNOWN", actor: null });
});

promise("JobEvent.detail", "holds what else there is to say, null where there is nothing", async () => {
  const events = await log(await lateJob(), "detail");
  const cancelled = events.find((event) => event.type === "ATTEMPT_CANCELLED");
  expect(cancelled?.detail).toEqual({ reason: "given up" });
  expect(events[0]).toEqual({ type: "JOB_CREATED", detail: null });
});

promise("JobEvent.at", "is the moment of the change, and never goes back", async () => {
  const moments = (await log(await done(), "at")).map((event) => event.at);
  for (const at of moments) expect(at).toMatch(instant);
  expect(moments).toEqual(moments.toSorted());
});

promise("JobEvent.job", "is the job as it is now, not as it was", async () => {
  const [first] = await log<{ job: unknown }>(await done(), "job { state }");
  expect(first?.job).toEqual({ state: "SUCCEEDED" });
});

const jobsByType: Readonly<Record<string, () => Promise<string>>> = {
  JOB_CREATED: done,
  ATTEMPT_QUEUED: done,
  ATTEMPT_STARTING: done,
  ATTEMPT_RUNNING: async () => (await world.in("RUNNING")).jobId,
  ATTEMPT_UNKNOWN: async () => (await world.in("UNKNOWN")).jobId,
  ATTEMPT_SUCCEEDED: done,
  ATTEMPT_FAILED: async () => (await world.in("FAILED")).jobId,
  ATTEMPT_CANCELLED: lateJob,
  RESULT_DISCARDED: lateJob,
  FAILOVER_REFUSED: refusedJob,
  JOB_SUCCEEDED: done,
  JOB_FAILED: async () => (await world.in("FAILED")).jobId,
  JOB_CANCELLED: async () => (await world.in("CANCELLED")).jobId,
};

for (const [type, jobWith] of Object.entries(jobsByType)) {
  promise(
    `JobEventType.${type}`,
    "is in the log of a job to which it happened, once, with the states after it",
    async () => {
      const events = await log(await jobWith(), "jobState attemptState");
      const [event, ...others] = events.filter((one) => one.type === type);
      expect(others).toEqual([]);
      if (type.startsWith("ATTEMPT_")) expect(event?.attemptState).toBe(type.replace("ATTEMPT_", ""));
      if (/JOB_(S|F|CAN)/.test(type)) expect(event?.jobState).toBe(type.replace("JOB_", ""));
    },
  );
}

const causes: Readonly<Record<string, readonly [type: string, job: () => Promise<string>]>> = {
  OWNER: ["JOB_CREATED", done],
  WORKER: ["ATTEMPT_STARTING", done],
  OPERATOR: ["ATTEMPT_CANCELLED", lateJob],
  DEADLINE: ["ATTEMPT_UNKNOWN", () => lapsedJob("quick")],
  LEASE: ["ATTEMPT_UNKNOWN", () => lapsedJob("fragile")],
  POLICY: ["FAILOVER_REFUSED", refusedJob],
};

for (const [cause, [type, jobWith]] of Object.entries(causes)) {
  promise(`EventCause.${cause}`, `is that of such an ${type}`, async () => {
    const events = await log(await jobWith(), "cause");
    expect(events.find((event) => event.type === type)).toEqual({ type, cause });
  });
}
