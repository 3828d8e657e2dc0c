/** What users of other systems met when a connection, a worker or a server was lost in mid-work, through the API: cases/faults.md, 1, 3, 4, 5 and 7. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import { connectApi, typesOf } from "../support/api-client.ts";
import { startApiProcess } from "../support/api-process.ts";
import { claimedJob, newJob, standing, takenOver } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { holding, startWorker, timesHanded } from "../support/api-worker.ts";
import { openCreate } from "../support/open-create.ts";
import { createCommand } from "../support/store-kit.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

it("a request that was accepted and whose connection was cut is not sent again (faults 1)", async () => {
  const { job, held } = await claimedJob(server);
  await held.running("request-1");
  await held.fail("UNCERTAIN", { code: "CONNECTION_RESET", message: "cut after the request was accepted" });
  expect(await server.worker.finds(job.id)).toBe(false);
  expect(await server.ann.retry(job.id, held.attempt.id)).toMatchObject({ __typename: "AttemptInFlight" });
  expect(await server.ann.job(job.id)).toMatchObject({
    state: "UNKNOWN",
    latestAttempt: { number: 1, state: "UNKNOWN" },
  });
  expect(timesHanded(server.worker, job.id)).toBe(1);
});

describe("a server that was killed during a call (faults 3)", () => {
  it("comes back to an UNKNOWN attempt, which the worker's late answer settles; nothing ran twice", async () => {
    const first = await startApiProcess(server.databaseUrl);
    onTestFinished(() => first.kill());
    const intent = { idempotencyKey: randomUUID(), operation: "quick", input: { text: "Menu" } };
    const { job } = await connectApi(first.url, "ann").create(intent);
    const worker = startWorker(first.url);
    const held = await worker.take(job!.id);
    await held.running("request-1");
    await first.kill();

    const second = await startApiProcess(server.databaseUrl);
    onTestFinished(() => second.kill());
    const ann = connectApi(second.url, "ann");
    await waitUntil("the attempt is UNKNOWN", async () => (await ann.job(job!.id)).state === "UNKNOWN");
    expect(await ann.create(intent)).toMatchObject({ created: false, job: { id: job!.id, state: "UNKNOWN" } });
    expect(await ann.retry(job!.id, held.attempt.id)).toMatchObject({ __typename: "AttemptInFlight" });
    const afterwards = startWorker(second.url);
    expect(await afterwards.finds(job!.id)).toBe(false);
    expect(await holding(afterwards.api, held.claim).complete({ pages: 1 })).toMatchObject({
      __typename: "CompleteAttemptSuccess",
    });
    expect(await ann.job(job!.id)).toMatchObject({ state: "SUCCEEDED", winner: { number: 1 } });
    expect(timesHanded(worker, job!.id) + timesHanded(afterwards, job!.id)).toBe(1);
  }, 120_000);

  it("does not light its own oven a second time: the lease lapses, and the attempt is UNKNOWN", async () => {
    const folder = await mkdtemp(join(tmpdir(), "onejob-oven-"));
    const ledger = join(folder, "ledger");
    const lit = () => (existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : []);
    const first = await startApiProcess(server.databaseUrl, { ONEJOB_TEST_LEDGER: ledger });
    onTestFinished(() => first.kill());
    const intent = { idempotencyKey: randomUUID(), operation: "bake", input: { loaves: 2 } };
    const { job } = await connectApi(first.url, "ann").create(intent);
    await waitUntil("the oven is lit", () => lit().length === 1);
    await first.kill();

    const second = await startApiProcess(server.databaseUrl, { ONEJOB_TEST_LEDGER: ledger });
    onTestFinished(() => second.kill());
    const ann = connectApi(second.url, "ann");
    await waitUntil("the attempt is UNKNOWN", async () => (await ann.job(job!.id)).state === "UNKNOWN");
    const events = await ann.events(job!.id);
    expect(events.at(-1)).toMatchObject({ type: "ATTEMPT_UNKNOWN", cause: "LEASE" });
    // A second job is carried out meanwhile, so the new server's dispatcher has looked for work.
    await ann.create({ ...intent, idempotencyKey: randomUUID() });
    await waitUntil("the other job's oven is lit", () => lit().length === 2);
    expect(new Set(lit()).size).toBe(2);
    expect(standing((await ann.job(job!.id)).attempts.nodes)).toEqual(["1 oven UNKNOWN"]);
    await rm(folder, { recursive: true });
  }, 120_000);
});

it("a sweep that meets completions within milliseconds of the leases' end takes no job out of SUCCEEDED (faults 4)", async () => {
  const jobs = await Promise.all(Array.from({ length: 60 }, () => newJob(server, "fragile")));
  const claims = await server.worker.claim({ operations: ["fragile"], limit: 100 });
  const endsAt = performance.now() + (claims[0]?.leaseMs ?? 0);
  // From 30 ms before the end to 30 ms after it, one each millisecond: the sweeper comes round every 50.
  const answers = claims.map(async (claim, index) => {
    await waitUntil("its moment has come", () => performance.now() >= endsAt - 30 + index);
    return holding(server.worker.api, claim).complete({ pages: 1 });
  });
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ __typename: "CompleteAttemptSuccess" });
  for (const { id } of jobs) {
    const job = await server.ann.job(id);
    expect(job).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 }, version: 2 });
    expect(typesOf(job.events).at(-1)).toBe("JOB_SUCCEEDED");
  }
});

it("an attempt that was cancelled writes nothing onto its successor's job: not running, heartbeat, progress nor failure (faults 5)", async () => {
  const { job, held: first, second } = await takenOver(server, "brisk");
  await second.running();
  const before = await server.rowsOf(job.id);
  const answers = [
    await first.running("request-late"),
    await first.beat(),
    await first.beat({ fraction: 0.99, message: "from the grave" }),
    await first.fail("DEFINITE"),
    await first.fail("DEFINITE", { remedy: "NONE" }),
    await first.fail("UNCERTAIN"),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ __typename: "AttemptClosed", attempt: { number: 1, state: "CANCELLED" } });
  }
  expect(await server.rowsOf(job.id)).toEqual(before);
  expect(await second.complete({ pages: 1 })).toMatchObject({ __typename: "CompleteAttemptSuccess" });
});

it("when the winner of a create is lost, exactly one of ten others creates, and nobody is told of a phantom (faults 7)", async () => {
  const key = randomUUID();
  const command = createCommand({ ownerId: "ann", idempotencyKey: key });
  const open = await openCreate(server.databaseUrl, server.sql, command);
  const waiting = Promise.all(
    Array.from({ length: 10 }, () =>
      server.ann.create({ idempotencyKey: key, operation: "print", input: { text: "Menu" } }),
    ),
  );
  await waitUntil("a create waits for the open one", async () => {
    const [row] = await server.sql<{ blocked: number }[]>`select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return (row?.blocked ?? 0) > 0;
  });
  await open.kill();
  const answers = await waiting;
  expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  const ids = new Set(answers.map((answer) => decodeId("job", answer.job?.id ?? "")));
  expect(ids.size).toBe(1);
  expect(ids.has(open.jobId)).toBe(false);
});
