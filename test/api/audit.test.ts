/** Every act of an operator is on record: who did it, when by the database's clock, to what, why, and what was decided. A mutation that the schema gains must be listed here. */
import { randomUUID } from "node:crypto";
import { getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { defineConfig, defineProvider } from "onejob";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import { decodeId } from "../../src/store/ids.ts";
import type { Fields } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { stripJob } from "../support/strip-job.ts";

/** What the press says when it is asked; null where it does not know. */
let said: Outcome | null = null;
const press = defineProvider({
  name: "press",
  revision: "1",
  run: async () => ({ kind: "unknown", failure: { code: "SILENT", message: "No answer.", remedy: "NONE" } }),
  lookup: async () => said,
});

let server: ApiServer;
beforeAll(async () => {
  const offered = apiConfig.operations.map((operation) =>
    operation.name === "any" ? { ...operation, providers: [...operation.providers, "press"] } : operation,
  );
  const providers = [...apiConfig.providers, press];
  server = await startApiServer({ config: defineConfig({ ...apiConfig, operations: offered, providers }) });
});
afterAll(() => server.stop());

interface Act {
  readonly name: string;
  /** The document's name and the input: asked twice, the second time is a repeat or a refusal. */
  readonly input: Fields;
  readonly target: string | null;
  readonly reason: string | null;
  readonly detail: unknown;
}

const document = (mutation: string) => mutation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

async function plotted(): Promise<{ jobId: string; attemptId: string }> {
  const { job } = await server.ann.create({
    idempotencyKey: randomUUID(),
    operation: "any",
    provider: "press",
    input: 1,
  });
  for (;;) {
    const now = await server.ann.job(job?.id ?? "");
    if (now.state === "UNKNOWN") return { jobId: now.id, attemptId: now.latestAttempt.id };
  }
}

/** One for each mutation that is an operator's act, on a job of Ann's or on a provider. Some leave different entries by their outcome. */
const acts: Record<string, () => Promise<Act>> = {
  async retryJob() {
    const { jobId, attemptId } = await reach(server, "FAILED");
    const input = { jobId, afterAttemptId: attemptId, reason: "ann cannot" };
    const detail = { attemptId: expect.stringMatching(/^att_/), provider: "inkjet", overrideGate: false };
    return { name: "retryJob", input, target: jobId, reason: "ann cannot", detail };
  },
  async "retryJob past the gate"() {
    const { jobId, attemptId } = await reach(server, "FAILED");
    const input = { jobId, afterAttemptId: attemptId, provider: "laser", overrideGate: true, reason: "it is urgent" };
    const detail = { attemptId: expect.stringMatching(/^att_/), provider: "laser", overrideGate: true };
    return { name: "retryJob", input, target: jobId, reason: "it is urgent", detail };
  },
  async cancelAttempt() {
    const { attemptId } = await reach(server, "RUNNING");
    const input = { attemptId, reason: "it hangs" };
    return { name: "cancelAttempt", input, target: attemptId, reason: "it hangs", detail: null };
  },
  async cancelJob() {
    const { jobId } = await reach(server, "RUNNING");
    const input = { jobId, reason: "given up" };
    return { name: "cancelJob", input, target: jobId, reason: "given up", detail: null };
  },
  async cancelJobs() {
    const key = randomUUID();
    const { jobId } = await reach(server, "RUNNING", { idempotencyKey: key });
    const input = { filter: { idempotencyKey: key }, reason: "closing time" };
    return { name: "cancelJobs", input, target: null, reason: "closing time", detail: { jobIds: [jobId] } };
  },
  async resolveAttempt() {
    const { attemptId } = await reach(server, "UNKNOWN");
    const input = { attemptId, outcome: "FAILED", evidence: "the tray is empty" };
    const detail = { outcome: "FAILED", remedy: expect.any(String) };
    return { name: "resolveAttempt", input, target: attemptId, reason: "the tray is empty", detail };
  },
  async lookUpAttempt() {
    const { attemptId } = await plotted();
    said = { kind: "succeeded", result: 1 };
    const input = { attemptId, reason: "ann asked" };
    return { name: "lookUpAttempt", input, target: attemptId, reason: "ann asked", detail: { outcome: "SUCCEEDED" } };
  },
  async pauseProvider() {
    const input = { provider: "laser", reason: "no toner" };
    return { name: "pauseProvider", input, target: "prov_laser", reason: "no toner", detail: null };
  },
  async resumeProvider() {
    await server.operator.send("pause-provider", { provider: "inkjet", reason: "no ink" });
    const input = { provider: "inkjet", reason: "new ink" };
    return { name: "resumeProvider", input, target: "prov_inkjet", reason: "new ink", detail: null };
  },
  async releaseKey() {
    const idempotencyKey = randomUUID();
    const { jobId } = await reach(server, "SUCCEEDED", { idempotencyKey });
    await stripJob(server.sql, decodeId("job", jobId) ?? "");
    const input = { ownerId: "ann", idempotencyKey, reason: "ann asked" };
    return {
      name: "releaseKey",
      input,
      target: jobId,
      reason: "ann asked",
      detail: { ownerId: "ann", idempotencyKey },
    };
  },
};

/** The other mutations, each with why it leaves no entry. */
const noActs: Readonly<Record<string, string>> = {
  createJob: "whoever creates is the job's owner, an operator as well",
  createJobs: "the same",
  createJobToken: "the job's owner alone may ask for one, an operator for own jobs",
  claimAttempts: "needs the role WORKER; the attempt and its events name the worker",
  markAttemptRunning: "a worker's report",
  heartbeatAttempt: "a worker's report",
  completeAttempt: "a worker's report",
  failAttempt: "a worker's report",
  certifyProvider: "not available yet",
  revokeCertification: "not available yet",
};

it("every mutation is known to be an operator's act, or not to be one", async () => {
  const { __schema: schema } = await server.operator.ask<IntrospectionQuery>(getIntrospectionQuery());
  const mutation = schema.types.find(({ name }) => name === schema.mutationType?.name);
  const fields = mutation?.kind === "OBJECT" ? mutation.fields.map(({ name }) => name) : [];
  const named = new Set(Object.keys(acts).map((act) => act.split(" ")[0] ?? ""));
  expect([...named, ...Object.keys(noActs)].toSorted()).toEqual(fields.toSorted());
});

const entries = () => server.sql<{ at: Date }[]>`select * from audit_log order by at, id`;

it.each(Object.keys(acts))(
  "%s leaves one entry that says who, when, to what, why, and what was decided",
  async (name) => {
    const act = (await acts[name]?.()) as Act;
    const before = await entries();
    await shiftClock(server.sql, "400 days");
    const [clock] = await server.sql<{ now: Date }[]>`select onejob_now() as now`;
    await server.operator.send(document(act.name), act.input);
    await shiftClock(server.sql, "0");
    const fresh = (await entries()).slice(before.length);
    expect(fresh).toHaveLength(1);
    const { name: action, target, reason, detail } = act;
    expect(fresh[0]).toMatchObject({ actor: "olga", action, target_id: target, reason, detail });
    // The database's clock was set ahead, and the process's was not.
    expect(fresh[0]!.at.getTime()).toBeGreaterThanOrEqual(clock!.now.getTime());
  },
);

it.each(Object.keys(acts))("%s leaves none where it is refused or repeated, nor where its input is", async (name) => {
  const act = (await acts[name]?.()) as Act;
  await server.operator.send(document(act.name), act.input);
  const before = await entries();
  await server.operator.send(document(act.name), act.input);
  const isEvidence = "evidence" in act.input;
  const faulty = { ...act.input, [isEvidence ? "evidence" : "reason"]: "a\0b" };
  expect(await server.operator.send(document(act.name), faulty)).toMatchObject({ __typename: "InvalidInput" });
  expect(await entries()).toEqual(before);
});

it("what a provider could not tell is on record too, with what it said", async () => {
  const { attemptId } = await plotted();
  said = null;
  await server.operator.send("look-up-attempt", { attemptId, reason: "ann asked" });
  const [entry] = await server.sql`select reason, detail from audit_log where target_id = ${attemptId}`;
  expect(entry).toEqual({ reason: "ann asked", detail: { outcome: "UNKNOWN", learnt: null } });
});
