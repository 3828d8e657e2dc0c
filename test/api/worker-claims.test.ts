/** Workers over the API: claims that wait, claims asked again, and what comes with them. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typesOf } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  // Whoever waits for work is told of it: the poll would come too late for these tests.
  server = await startApiServer({ runtime: { claimPollMs: 600_000 } });
});
afterAll(() => server.stop());

describe("claimAttempts", () => {
  it("waits for work, and gets a job that is created later", async () => {
    const waiting = server.worker.claim({ operations: ["any"], waitMs: 15_000 });
    const other = server.worker.claim({ operations: ["fragile"], waitMs: 0 });
    expect(await other).toEqual([]);
    const job = await newJob(server, "any", { priority: 5 });
    const claims = await waiting;
    expect(claims).toMatchObject([
      { attempt: { state: "STARTING", job: { id: job.id, state: "RUNNING" } }, operationName: "any" },
    ]);
  });

  it("answers empty when the time is up and nothing came", async () => {
    expect(await server.worker.claim({ operations: ["fragile"], waitMs: 50 })).toEqual([]);
  });

  it("gives each of ten waiting workers another one of ten attempts", async () => {
    const waiting = Array.from({ length: 10 }, () => server.worker.claim({ operations: ["any"], waitMs: 15_000 }));
    const jobs = await Promise.all(Array.from({ length: 10 }, () => newJob(server, "any")));
    const claimed = (await Promise.all(waiting)).flat().map((claim) => claim.attempt.job.id);
    expect(claimed.toSorted()).toEqual(jobs.map((job) => job.id).toSorted());
  });

  it("asked again with its claimKey gives the same attempts under the same tokens", async () => {
    const jobs = await Promise.all([newJob(server, "any"), newJob(server, "any")]);
    const claim = { operations: ["any"], limit: 5, claimKey: randomUUID() };
    const first = await server.worker.claim(claim);
    expect(first).toHaveLength(2);
    await newJob(server, "any");
    const again = await server.worker.claim(claim);
    const identity = (claims: typeof first) => claims.map(({ attempt, leaseToken }) => [attempt.id, leaseToken]);
    expect(identity(again)).toEqual(identity(first));
    for (const job of jobs) expect(typesOf((await server.ann.job(job.id)).events)).toHaveLength(3);
    expect(await server.worker.claim({ ...claim, claimKey: randomUUID() })).toHaveLength(1);
  });

  it("sent twice at once with one claimKey takes no attempt twice", async () => {
    await Promise.all([newJob(server, "any"), newJob(server, "any")]);
    const claim = { operations: ["any"], limit: 2, claimKey: randomUUID() };
    const [first, second] = await Promise.all([server.worker.claim(claim), server.worker.claim(claim)]);
    expect(first?.map((one) => one.leaseToken)).toEqual(second?.map((one) => one.leaseToken));
    expect(first).toHaveLength(2);
  });

  it("gives the provider one idempotency key for all attempts of a job at that provider, and the caller's trace", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const intent = { idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } };
    const { job } = await server.ann.create(intent, { traceparent });
    const first = await server.worker.take(job!.id);
    expect(first.claim.traceparent).toBe(traceparent);
    await first.fail("DEFINITE");
    const second = await waitUntil("the retry is due", () => server.worker.take(job!.id).catch(() => null));
    expect(second.claim.providerIdempotencyKey).toBe(first.claim.providerIdempotencyKey);
    expect(second.attempt.id).not.toBe(first.attempt.id);
  });

  it("hands on no trace that breaks the W3C's form", async () => {
    const intent = { idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } };
    const { job } = await server.ann.create(intent, { traceparent: "00-not-a-trace-01" });
    expect((await server.worker.take(job!.id)).claim.traceparent).toBeNull();
  });
});
