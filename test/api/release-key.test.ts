/** releaseKey through the API: only for purged jobs and operators, with a reason, and on record. Retention is played by hand. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import { refusalOf } from "../support/api-client.ts";
import { jobStates, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function purge(jobId: string): Promise<void> {
  await server.sql`update jobs set input = null, metadata = null, result = null, purged_at = onejob_now()
    where id = ${decodeId("job", jobId)}`;
}

const reason = "ann asked for it";

it("a purged job goes altogether, and its key records a new intent", async () => {
  const idempotencyKey = randomUUID();
  const { jobId } = await reach(server, "SUCCEEDED", { idempotencyKey });
  await purge(jobId);
  const other = { idempotencyKey, operation: "print", input: { text: "Bill" } };
  expect(await server.ann.create(other)).toMatchObject({ __typename: "IdempotencyConflict", differences: [] });
  const release = { ownerId: "ann", idempotencyKey, reason };
  expect(await server.operator.send("release-key", release)).toEqual({ __typename: "ReleaseKeySuccess", jobId });
  expect(await server.ann.jobOrNull(jobId)).toBeNull();
  expect(await server.operator.send("release-key", release)).toMatchObject({ __typename: "NotFound" });
  expect(await server.ann.create(other)).toMatchObject({ __typename: "CreateJobSuccess", created: true });
});

it.each(jobStates)("a %s job that was not purged keeps its key", async (state) => {
  const idempotencyKey = randomUUID();
  const { jobId } = await reach(server, state, { idempotencyKey });
  const rows = await server.rowsOf(jobId);
  expect(await server.operator.send("release-key", { ownerId: "ann", idempotencyKey, reason })).toMatchObject({
    __typename: "KeyInUse",
    code: "KEY_IN_USE",
    job: { id: jobId },
  });
  expect(await server.rowsOf(jobId)).toEqual(rows);
});

it("what is not there is NotFound, a missing reason InvalidInput, and another role FORBIDDEN", async () => {
  const idempotencyKey = randomUUID();
  const { jobId } = await reach(server, "CANCELLED", { idempotencyKey });
  await purge(jobId);
  const rows = await server.rowsOf(jobId);
  const release = { ownerId: "ann", idempotencyKey, reason };
  for (const wrong of [
    { ownerId: "bob" },
    { idempotencyKey: "none" },
    { idempotencyKey: "\0" },
    { ownerId: "\ud800" },
  ]) {
    expect(await server.operator.send("release-key", { ...release, ...wrong })).toMatchObject({
      __typename: "NotFound",
    });
  }
  expect(await server.operator.send("release-key", { ...release, reason: " " })).toMatchObject({
    __typename: "InvalidInput",
    issues: [{ path: "/reason" }],
  });
  for (const caller of ["ann", "worker"] as const) {
    expect(await refusalOf(server.as(caller).send("release-key", release))).toMatchObject({ code: "FORBIDDEN" });
  }
  expect(await server.rowsOf(jobId)).toEqual(rows);
});
