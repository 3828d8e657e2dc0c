/** The fields of Attempt, each by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import { claimedJob, type Reached } from "../../support/api-reach.ts";
import { certify } from "../../support/certify.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, intent, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
/** Ann's job on the inkjet that an operator let the laser take over, without a certification. */
let overridden: { readonly jobId: string; readonly attemptId: string };
beforeAll(async () => {
  world = await startWorld();
  const { jobId, attemptId } = await world.fresh("FAILED");
  const override = { provider: "laser", overrideGate: true, reason: "the owner waits" };
  overridden = { jobId, attemptId: (await world.operator.retry(jobId, attemptId, override)).attempt?.id ?? "" };
});
afterAll(() => world.stop());

const promise = promisesOf("Attempt");
const of = <Value = unknown>({ attemptId }: Pick<Reached, "attemptId">, selection: string) =>
  look<Value>(world.ann, attemptId, selection);

promise("Attempt.id", "is the attempt's TypeID, by which node finds it", async () => {
  expect(overridden.attemptId).toMatch(/^att_[0-7][0-9a-z]{25}$/);
  expect(await of(overridden, "id")).toBe(overridden.attemptId);
});

promise("Attempt.job", "is the job that it is an attempt at", async () => {
  expect(await of(overridden, "job { id }")).toEqual({ id: overridden.jobId });
});

promise("Attempt.number", "counts from 1 within the job", async () => {
  expect(await of(await world.in("QUEUED"), "number")).toBe(1);
  expect(await of(overridden, "number")).toBe(2);
});

promise("Attempt.providerName", "is the provider of this attempt, not the job's", async () => {
  expect(await of(await world.in("QUEUED"), "providerName")).toBe("inkjet");
  expect(await of(overridden, "providerName")).toBe("laser");
});

promise("Attempt.providerRevision", "is the revision that the provider had then", async () => {
  expect(await of(await world.in("QUEUED"), "providerRevision")).toBe("1");
  expect(await of(await world.lostPoster(), "providerRevision")).toBe("heidelberg-2");
});

promise("Attempt.provider", "is the configured one, and null once it was dropped", async () => {
  expect(await of(overridden, "provider { id }")).toEqual({ id: "prov_laser" });
  expect(await of(await world.dropped(), "provider { id }")).toBeNull();
});

promise("Attempt.state", "is its own, where the job's may be another", async () => {
  const claimed = await claimedJob(world, "steady");
  expect(await of({ attemptId: claimed.held.attempt.id }, "state job { state }")).toEqual({
    state: "STARTING",
    job: { state: "RUNNING" },
  });
});

promise("Attempt.stateChangedAt", "is the moment of the change to this state", async () => {
  const done = await world.in("SUCCEEDED");
  const { stateChangedAt, finishedAt } = await of<Record<string, string>>(done, "stateChangedAt finishedAt");
  expect(stateChangedAt).toMatch(instant);
  expect(stateChangedAt).toBe(finishedAt);
});

promise("Attempt.jobVersion", "is the job's version at its insertion, its fence", async () => {
  expect(await of(await world.in("SUCCEEDED"), "jobVersion job { version }")).toEqual({
    jobVersion: 1,
    job: { version: 2 },
  });
  expect(await of(overridden, "jobVersion")).toBe(2);
});

promise("Attempt.providerRequestId", "is the provider's own id, null until it is known", async () => {
  const { held } = await claimedJob(world, "steady");
  expect(await of({ attemptId: held.attempt.id }, "providerRequestId")).toBeNull();
  await held.running("print-17");
  expect(await of({ attemptId: held.attempt.id }, "providerRequestId")).toBe("print-17");
});

promise("Attempt.workerId", "names the worker that claimed it, null before", async () => {
  expect(await of(await world.in("RUNNING"), "workerId")).toBe("worker-1");
  expect(await of(await world.in("QUEUED"), "workerId")).toBeNull();
});

promise("Attempt.progress", "is what the worker reported last, null where it reported nothing", async () => {
  const running = await world.fresh("RUNNING");
  expect(await of(running, "progress { fraction }")).toBeNull();
  await running.held?.beat({ fraction: 0.5, message: "Page 2" });
  expect(await of(running, "progress { fraction message }")).toEqual({ fraction: 0.5, message: "Page 2" });
});

promise("Attempt.failure", "is why it failed, null for one that has not", async () => {
  expect(await of(await world.in("FAILED"), "failure { code }")).toEqual({ code: "JAMMED" });
  expect(await of(await world.in("SUCCEEDED"), "failure { code }")).toBeNull();
});

promise(
  "Attempt.effectUncertain",
  "is true while UNKNOWN, and stays so without proof that nothing happened",
  async () => {
    const unknown = await world.fresh("UNKNOWN");
    expect(await of(unknown, "effectUncertain")).toBe(true);
    await world.operator.cancelAttempt(unknown.attemptId);
    expect(await of(unknown, "state effectUncertain")).toEqual({ state: "CANCELLED", effectUncertain: true });
    for (const state of ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const)
      expect(await of(await world.in(state), "effectUncertain"), state).toBe(false);
  },
);

promise("Attempt.certification", "is the one that let this provider take over, null on the job's own", async () => {
  const contractDigest = await look<string>(world.ann, "op_steady", "contractDigest");
  await certify(world.sql, { operation: "steady", contractDigest });
  const { jobId, attemptId } = await world.fresh("FAILED");
  const { attempt } = await world.ann.retry(jobId, attemptId, { provider: "laser" });
  expect(await of({ attemptId: attempt!.id }, "certification { providerName status } uncertifiedBy")).toEqual({
    certification: { providerName: "laser", status: "PASSED" },
    uncertifiedBy: null,
  });
  expect(await of({ attemptId }, "certification { id }")).toBeNull();
  expect(await of(overridden, "certification { id }")).toBeNull();
});

promise("Attempt.uncertifiedBy", "is the operator who overrode the gate, null where it was not", async () => {
  expect(await of(overridden, "uncertifiedBy")).toBe("olga");
  expect(await of(await world.in("QUEUED"), "uncertifiedBy")).toBeNull();
});

promise("Attempt.viewerCanCancel", "is whether cancelAttempt would end it for this caller", async () => {
  const { attemptId } = await world.in("RUNNING");
  expect(await look(world.ann, attemptId, "viewerCanCancel")).toBe(false);
  expect(await look(world.operator, attemptId, "viewerCanCancel")).toBe(true);
  expect(await of(await world.in("QUEUED"), "viewerCanCancel")).toBe(true);
  expect(await of(await world.in("SUCCEEDED"), "viewerCanCancel")).toBe(false);
  const { held } = await claimedJob(world, "preview");
  expect(await of({ attemptId: held.attempt.id }, "viewerCanCancel")).toBe(true);
});

promise("Attempt.createdAt", "is the job's own for the first attempt", async () => {
  const done = await world.in("SUCCEEDED");
  const { createdAt, job } = await of<{ createdAt: string; job: unknown }>(done, "createdAt job { createdAt }");
  expect(createdAt).toMatch(instant);
  expect(job).toEqual({ createdAt });
});

promise("Attempt.scheduledAt", "is the time before which no worker gets it", async () => {
  const { job } = await world.ann.create(intent({ notBefore: "2100-01-02T03:04:05Z" }));
  expect(await of({ attemptId: job!.latestAttempt.id }, "scheduledAt")).toBe("2100-01-02T03:04:05.000Z");
  expect(await world.worker.finds(job!.id)).toBe(false);
  const { held } = await claimedJob(world, "patient");
  const failed = await held.fail("DEFINITE");
  const { createdAt, scheduledAt } = await of<Record<string, string>>(
    { attemptId: (await world.ann.job(failed.job!.id)).latestAttempt.id },
    "createdAt scheduledAt",
  );
  expect(Date.parse(scheduledAt!) - Date.parse(createdAt!)).toBe(3_600_000);
});

promise("Attempt.startedAt", "is the moment of its claim, null before", async () => {
  expect(await of(await world.in("SUCCEEDED"), "startedAt")).toMatch(instant);
  expect(await of(await world.in("QUEUED"), "startedAt")).toBeNull();
});

promise("Attempt.deadlineAt", "is the operation's time after the start, null before", async () => {
  const { startedAt, deadlineAt } = await of<Record<string, string>>(await world.in("RUNNING"), "startedAt deadlineAt");
  expect(Date.parse(deadlineAt!) - Date.parse(startedAt!)).toBe(600_000);
  expect(await of(await world.in("QUEUED"), "deadlineAt")).toBeNull();
});

promise("Attempt.leaseExpiresAt", "moves on with each heartbeat, and is null before the claim", async () => {
  const running = await world.fresh("RUNNING");
  const before = await of<string>(running, "leaseExpiresAt");
  const beat = await running.held?.beat();
  expect(await of(running, "leaseExpiresAt")).toBe(beat?.leaseExpiresAt);
  expect(Date.parse(beat?.leaseExpiresAt ?? "")).toBeGreaterThan(Date.parse(before));
  expect(await of(await world.in("QUEUED"), "leaseExpiresAt")).toBeNull();
});

promise("Attempt.lookedUpAt", "is when the provider was last asked, null where it never was", async () => {
  const lost = await world.lostPoster();
  expect(await of(lost, "lookedUpAt")).toBeNull();
  await world.operator.send("look-up-attempt", { attemptId: lost.attemptId });
  expect(await of(lost, "lookedUpAt")).toMatch(instant);
});

promise("Attempt.lateResultAt", "is when a result came too late, null where none did", async () => {
  const running = await world.fresh("RUNNING");
  await world.operator.cancelAttempt(running.attemptId);
  expect(await of(running, "lateResultAt")).toBeNull();
  await running.held?.complete({ pages: 1 });
  expect(await of(running, "lateResultAt")).toMatch(instant);
});

promise("Attempt.finishedAt", "is the moment of its end, null while it is live, UNKNOWN included", async () => {
  for (const state of ["SUCCEEDED", "FAILED", "CANCELLED"] as const)
    expect(await of(await world.in(state), "finishedAt"), state).toMatch(instant);
  expect(await of(await world.in("UNKNOWN"), "finishedAt")).toBeNull();
});
