/** cancelJobs through the API: which jobs it withdraws, in what order, whose they are, what it refuses, and how operators' acts are recorded. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Fields, refusalOf } from "../support/api-client.ts";
import { jobStates, newJob, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());
/** Everything that a test before left open is withdrawn. */
beforeEach(async () => {
  await server.operator.send("cancel-jobs", {
    filter: { createdAfter: "2000-01-01T00:00:00Z" },
    limit: 1_000,
    reason: "over",
  });
});

const reason = "the shop closes";
const cancel = (filter: Fields, more: Fields = {}) => server.ann.send("cancel-jobs", { filter, reason, ...more });

it("withdraws open jobs in whatever state, with their attempts, and leaves closed ones alone", async () => {
  const ids = new Map<string, string>();
  for (const state of jobStates) ids.set(state, (await reach(server, state)).jobId);
  const answer = await cancel({ operation: "print" });
  const open = ["QUEUED", "RUNNING", "UNKNOWN", "FAILED"].map((state) => ids.get(state) ?? "");
  expect(answer).toMatchObject({ __typename: "CancelJobsSuccess", hasMore: false });
  expect(answer.jobs?.map(({ id }) => id).toSorted()).toEqual(open.toSorted());
  for (const job of answer.jobs ?? []) expect(job).toMatchObject({ state: "CANCELLED", viewerCanCancel: false });
  const events = await server.ann.events(ids.get("RUNNING") ?? "");
  expect(events.at(-1)).toMatchObject({ type: "JOB_CANCELLED", cause: "OWNER", actor: "ann", detail: { reason } });
  expect(await server.ann.job(ids.get("SUCCEEDED") ?? "")).toMatchObject({ state: "SUCCEEDED" });
  expect(await cancel({ operation: "print" })).toEqual({ __typename: "CancelJobsSuccess", jobs: [], hasMore: false });
});

it("takes the oldest first, up to the limit, and says that there are more", async () => {
  const made: string[] = [];
  for (let number = 0; number < 3; number += 1) made.push((await newJob(server)).id);
  const first = await cancel({ states: ["QUEUED"] }, { limit: 2 });
  expect(first.jobs).toHaveLength(2);
  expect(first.hasMore).toBe(true);
  expect(first.jobs?.map(({ id }) => id).toSorted()).toEqual(made.slice(0, 2).toSorted());
  const rest = await cancel({ states: ["QUEUED"] }, { limit: 2 });
  expect(rest.jobs?.map(({ id }) => id)).toEqual(made.slice(2));
  expect(rest.hasMore).toBe(false);
});

it("an owner reaches own jobs alone, an operator every owner's, as one recorded act", async () => {
  const own = await newJob(server);
  expect(await server.as("bob").send("cancel-jobs", { filter: { operation: "print" }, reason })).toEqual({
    __typename: "CancelJobsSuccess",
    jobs: [],
    hasMore: false,
  });
  expect(await refusalOf(server.as("bob").send("cancel-jobs", { filter: { ownerId: "ann" }, reason }))).toMatchObject({
    code: "FORBIDDEN",
  });
  const second = await newJob(server);
  const answer = await server.operator.send("cancel-jobs", { filter: { ownerId: "ann" }, reason });
  expect(answer.jobs?.map(({ id }) => id)).toEqual([own.id, second.id]);
  const acts = await server.sql<{ actor: string; target: string | null; reason: string; ids: string[] }[]>`
    select actor, target_id as target, reason, detail->'jobIds' as ids from audit_log
    where action = 'cancelJobs' and reason = ${reason} order by at, id`;
  expect(acts.map(({ actor, target }) => ({ actor, target }))).toEqual(
    acts.map(() => ({ actor: "olga", target: null })),
  );
  expect(acts.flatMap(({ ids }) => ids).toSorted()).toEqual([own.id, second.id].toSorted());
});

it("is no retreat for a worker's result: what completed before is not withdrawn, what comes after is discarded", async () => {
  const { held } = await reach(server, "RUNNING");
  const [answer, completed] = await Promise.all([cancel({ operation: "print" }), held?.complete({ pages: 1 })]);
  const isWithdrawn = answer.jobs?.length === 1;
  expect(completed?.__typename).toBe(isWithdrawn ? "ResultDiscarded" : "CompleteAttemptSuccess");
});

const refusals: readonly [fault: string, input: Fields, path: string][] = [
  ["a filter without a condition", { filter: {} }, "/filter"],
  ["a filter of nulls", { filter: { states: null, operation: null } }, "/filter"],
  ["a limit of none", { limit: 0 }, "/limit"],
  ["a limit over 1,000", { limit: 1_001 }, "/limit"],
  ["no reason", { reason: "" }, "/reason"],
  ["a condition that cannot be stored", { filter: { idempotencyKey: "a\0" } }, "/filter/idempotencyKey"],
];

it.each(refusals)("%s is InvalidInput, and nothing is withdrawn", async (_fault, input, path) => {
  const { id } = await newJob(server);
  const rows = await server.rowsOf(id);
  const asked = { filter: { operation: "print" }, reason, ...input };
  expect(await server.ann.send("cancel-jobs", asked)).toMatchObject({ __typename: "InvalidInput", issues: [{ path }] });
  expect(await server.rowsOf(id)).toEqual(rows);
});

it("a worker may not", async () => {
  const asked = { filter: { operation: "print" }, reason };
  expect(await refusalOf(server.worker.api.send("cancel-jobs", asked))).toMatchObject({ code: "FORBIDDEN" });
});
