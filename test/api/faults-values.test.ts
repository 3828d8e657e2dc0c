/** What users of other systems met with values and deployments, through the API: cases/faults.md, 19, 20, 21 and 22. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventView, JobView } from "../support/api-answers.ts";
import { documentOf } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { postGraphql } from "../support/api-raw.ts";
import { claimedJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, transports } from "../support/api-streams.ts";

let server: ApiServer;
let other: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ runtime: { feedPollMs: 600_000 } });
  other = await startApiServer({ databaseUrl: server.databaseUrl, runtime: { feedPollMs: 600_000 } });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

async function claimedAny(input: unknown) {
  const { job } = await server.ann.create({ idempotencyKey: randomUUID(), operation: "any", input });
  return { jobId: job!.id, held: await server.worker.take(job!.id) };
}

describe("a deployment that has lost an operation (faults 19)", () => {
  it("leaves its job waiting, readable and whole; rolled back, it is carried out", async () => {
    const { job } = await server.ann.create({ idempotencyKey: randomUUID(), operation: "any", input: { a: 1 } });
    const before = await server.rowsOf(job!.id);
    const operations = apiConfig.operations.filter((operation) => operation.name !== "any");
    const without = await startApiServer({ databaseUrl: server.databaseUrl, config: { ...apiConfig, operations } });
    expect(await without.worker.finds(job!.id)).toBe(false);
    expect(await without.worker.claim({ waitMs: 100, limit: 100 })).toEqual([]);
    const document = "query ($id: ID!) { job(id: $id) { state operationName input operation { id } } }";
    expect(await without.ann.ask(document, { id: job!.id })).toEqual({
      job: { state: "QUEUED", operationName: "any", input: { a: 1 }, operation: null },
    });
    expect(
      await without.ann.create({ idempotencyKey: job!.idempotencyKey, operation: "any", input: { a: 1 } }),
    ).toMatchObject({
      created: false,
      job: { id: job!.id },
    });
    await without.stop();
    expect(await server.rowsOf(job!.id)).toEqual(before);
    const held = await server.worker.take(job!.id);
    expect(await held.complete({ done: true })).toMatchObject({ __typename: "CompleteAttemptSuccess" });
  });
});

describe("U+0000 and lone surrogates from a worker (faults 20)", () => {
  it("in a result are InvalidInput with the place; nothing is written, and the attempt can still complete", async () => {
    const { jobId, held } = await claimedAny(1);
    await held.running();
    const before = await server.rowsOf(jobId);
    const places: readonly [result: unknown, path: string][] = [
      ["a\0b", "/result"],
      [{ text: ["ok", "a\0"] }, "/result/text/1"],
      [{ text: "\ud800" }, "/result/text"],
    ];
    for (const [result, path] of places) {
      expect(await held.complete(result)).toMatchObject({ __typename: "InvalidInput", issues: [{ path }] });
    }
    expect(await server.rowsOf(jobId)).toEqual(before);
    expect(await held.complete("a b")).toMatchObject({ __typename: "CompleteAttemptSuccess" });
  });

  it("in a failure, in progress and in a request's id are InvalidInput, and the attempt is not stuck", async () => {
    const { job, held } = await claimedJob(server);
    const before = await server.rowsOf(job.id);
    const answers: readonly [Promise<unknown>, string][] = [
      [held.fail("DEFINITE", { message: "a\0b" }), "/message"],
      [held.fail("UNCERTAIN", { code: "A\0B" }), "/code"],
      [held.beat({ message: "a\0b" }), "/progress/message"],
      [held.beat({ fraction: 1.5 }), "/progress/fraction"],
      [held.running("request\0"), "/providerRequestId"],
    ];
    for (const [answer, path] of answers)
      expect(await answer).toMatchObject({ __typename: "InvalidInput", issues: [{ path }] });
    expect(await server.rowsOf(job.id)).toEqual(before);
    expect(await held.fail("DEFINITE", { remedy: "NONE" })).toMatchObject({ __typename: "FailAttemptSuccess" });
  });
});

describe("an id of 18 digits (faults 21)", () => {
  const id = "750727362669608961";

  it("as a text is exact everywhere: input, claim, result, query and subscription", async () => {
    const { jobId, held } = await claimedAny({ id });
    expect(held.claim.input).toEqual({ id });
    await held.complete({ id });
    const stream = overSocket(server.url, "ann");
    const [seen] = await stream.open<JobView>("job-updated", { id: jobId }).sees(1);
    stream.close();
    expect([seen?.result, (await server.ann.job(jobId)).result]).toEqual([{ id }, { id }]);
  });

  it("as a number is refused in a result, as it is in an input, and never rounded", async () => {
    const { jobId, held } = await claimedAny(1);
    const variables = `{"input":{"attemptId":"${held.attempt.id}","leaseToken":"${held.claim.leaseToken}","result":{"id":${id}}}}`;
    const body = `{"query":${JSON.stringify(documentOf("complete-attempt"))},"variables":${variables}}`;
    const { text } = await postGraphql(server.url, body, "worker");
    expect(JSON.parse(text)).toMatchObject({
      data: { completeAttempt: { __typename: "InvalidInput", issues: [{ path: "/result/id" }] } },
    });
    expect(await server.ann.job(jobId)).toMatchObject({ state: "RUNNING", result: null });
  });
});

describe.each(transports)(
  "inputs and results over what one notification holds, over %s (faults 22)",
  (_name, connect) => {
    it.each([7, 9, 200])("%i kB are stored and delivered to a subscriber on another server", async (kilobytes) => {
      const value = { text: "é".repeat((kilobytes * 1024) / 2) };
      const { jobId, held } = await claimedAny(value);
      expect(held.claim.input).toEqual(value);
      const streams = connect(other.url, "ann");
      const snapshots = streams.open<JobView>("job-updated", { id: jobId });
      const events = streams.open<EventView>("job-events", { jobId });
      await Promise.all([snapshots.sees(1), events.sees(3)]);
      expect(await held.complete(value)).toMatchObject({ __typename: "CompleteAttemptSuccess" });
      await snapshots.ends();
      expect(snapshots.seen.at(-1)).toMatchObject({ state: "SUCCEEDED", result: value });
      await events.sees(5);
      streams.close();
    });
  },
);
