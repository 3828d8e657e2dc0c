/** The queries jobs and attempts with each of their arguments and conditions, and the connection of jobs. */
import { afterAll, beforeAll, expect } from "vitest";
import { decodeId } from "../../../src/store/ids.ts";
import type { Api } from "../../support/api-client.ts";
import { type PageSeen, pageSelection, promiseConnection, promisePages } from "../../support/contract-pages.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { intent, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
/** Ann's jobs, oldest first, and bob's. */
let anns: { readonly jobId: string; readonly attemptId: string }[];
let bobs: { readonly jobId: string; readonly attemptId: string };
beforeAll(async () => {
  world = await startWorld();
  anns = [];
  for (const state of ["SUCCEEDED", "UNKNOWN", "FAILED", "CANCELLED"] as const) anns.push(await world.in(state));
  for (const more of [{ provider: "laser", idempotencyKey: "menu 7" }, { operation: "any" }])
    anns.push(await add(world.ann, more));
  bobs = await add(world.as("bob"));
});
afterAll(() => world.stop());

/** Queued, and left alone. */
async function add(api: Api, more: object = {}) {
  const { job } = await api.create(intent({ notBefore: "2100-01-01T00:00:00Z", ...more }));
  return { jobId: job!.id, attemptId: job!.latestAttempt.id };
}

const promise = promisesOf("Query.jobs", "Query.attempts", "JobFilter", "AttemptFilter", "JobConnection", "JobEdge");

async function page(list: "jobs" | "attempts", given: string, api = world.ann): Promise<PageSeen> {
  const data = await api.ask<Record<typeof list, PageSeen>>(`{ ${list}${given && `(${given})`} ${pageSelection} }`);
  return data[list];
}
const idsOf = async (...asked: Parameters<typeof page>) => (await page(...asked)).nodes.map(({ id }) => id);
const jobIds = () => anns.map(({ jobId }) => jobId);
const attemptIds = () => anns.map(({ attemptId }) => attemptId);

promise("Query.jobs", "are the caller's own, newest first; an operator sees every owner's", async () => {
  expect(await idsOf("jobs", "")).toEqual(jobIds().toReversed());
  expect(await idsOf("jobs", "", world.as("bob"))).toEqual([bobs.jobId]);
  expect(await idsOf("jobs", "", world.operator)).toEqual([bobs.jobId, ...jobIds().toReversed()]);
});

promise("Query.jobs(reverse:)", "gives the oldest first", async () => {
  expect(await idsOf("jobs", "reverse: true")).toEqual(jobIds());
});

promise("Query.jobs(filter:)", "leaves those that fit every condition", async () => {
  expect(await idsOf("jobs", 'filter: { operation: "steady", states: [QUEUED] }')).toEqual([anns[4]?.jobId]);
});

promisePages(promise, "Query.jobs", (given) => page("jobs", given));
promiseConnection(promise, "Job", (given) => page("jobs", given));

promise("JobConnection.totalCount", "counts all that the filter leaves, and is null beyond 10,000", async () => {
  const countOf = async (filter: string) => {
    const document = `{ jobs(first: 1, filter: ${filter}) { totalCount } }`;
    return (await world.operator.ask<{ jobs: { totalCount: number | null } }>(document)).jobs.totalCount;
  };
  expect(await countOf('{ ownerId: "ann" }')).toBe(anns.length);
  await world.sql.begin(async (session) => {
    await session`set local session_replication_role = replica`;
    await session`insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(),
      'owner_id', 'many', 'idempotency_key', n::text))).* from jobs j, generate_series(1, 10001) n
      where j.id = ${decodeId("job", bobs.jobId)}`;
  });
  expect(await countOf('{ ownerId: "many" }')).toBeNull();
});

const filtered = async (filter: string, api = world.ann) =>
  await idsOf("jobs", `reverse: true, filter: ${filter}`, api);

promise("JobFilter.states", "leaves jobs in one of the states", async () => {
  expect(await filtered("{ states: [FAILED, CANCELLED] }")).toEqual(jobIds().slice(2, 4));
});

promise("JobFilter.operation", "leaves an operation's jobs", async () => {
  expect(await filtered('{ operation: "any" }')).toEqual([anns[5]?.jobId]);
});

promise("JobFilter.provider", "leaves jobs whose intent names the provider", async () => {
  expect(await filtered('{ provider: "laser" }')).toEqual([anns[4]?.jobId]);
});

promise("JobFilter.ownerId", "leaves one owner's, for an operator", async () => {
  expect(await filtered('{ ownerId: "bob" }', world.operator)).toEqual([bobs.jobId]);
});

promise("JobFilter.idempotencyKey", "leaves the job of the key", async () => {
  expect(await filtered('{ idempotencyKey: "menu 7" }')).toEqual([anns[4]?.jobId]);
});

promise("JobFilter.createdAfter", "leaves those created later", async () => {
  const at = await look<string>(world.ann, anns[3]!.jobId, "createdAt");
  expect(await filtered(`{ createdAfter: "${at}" }`)).toEqual(jobIds().slice(4));
});

promise("JobFilter.createdBefore", "leaves those created earlier", async () => {
  const at = await look<string>(world.ann, anns[3]!.jobId, "createdAt");
  expect(await filtered(`{ createdBefore: "${at}" }`)).toEqual(jobIds().slice(0, 3));
});

promise(
  "Query.attempts",
  "are those at the caller's own jobs, by their last change of state, newest first",
  async () => {
    expect(await idsOf("attempts", "")).toEqual(attemptIds().toReversed());
    expect(await idsOf("attempts", "", world.as("bob"))).toEqual([bobs.attemptId]);
    expect(await idsOf("attempts", "", world.operator)).toEqual([bobs.attemptId, ...attemptIds().toReversed()]);
  },
);

promise("Query.attempts(reverse:)", "gives the oldest change first", async () => {
  expect(await idsOf("attempts", "reverse: true")).toEqual(attemptIds());
});

promise("Query.attempts(filter:)", "leaves those that fit every condition", async () => {
  expect(await idsOf("attempts", 'filter: { states: [QUEUED], provider: "laser" }')).toEqual([anns[4]?.attemptId]);
});

promisePages(promise, "Query.attempts", (given) => page("attempts", given));

const filteredAttempts = async (filter: string, api = world.ann) =>
  idsOf("attempts", `reverse: true, filter: ${filter}`, api);

promise("AttemptFilter.states", "leaves attempts in one of the states", async () => {
  expect(await filteredAttempts("{ states: [SUCCEEDED, UNKNOWN] }")).toEqual(attemptIds().slice(0, 2));
});

promise("AttemptFilter.operation", "leaves attempts at an operation's jobs", async () => {
  expect(await filteredAttempts('{ operation: "any" }')).toEqual([anns[5]?.attemptId]);
});

promise("AttemptFilter.provider", "leaves attempts on a provider", async () => {
  expect(await filteredAttempts('{ provider: "laser" }')).toEqual([anns[4]?.attemptId]);
});

promise("AttemptFilter.ownerId", "leaves attempts at one owner's jobs, for an operator", async () => {
  expect(await filteredAttempts('{ ownerId: "bob" }', world.operator)).toEqual([bobs.attemptId]);
});

promise("AttemptFilter.stateChangedBefore", "leaves those that have been so for longer", async () => {
  const at = await look<string>(world.ann, anns[2]!.attemptId, "stateChangedAt");
  expect(await filteredAttempts(`{ stateChangedBefore: "${at}" }`)).toEqual(attemptIds().slice(0, 2));
});

promise("AttemptFilter.effectUncertain", "leaves those whose effect may exist, or those where it cannot", async () => {
  expect(await filteredAttempts("{ effectUncertain: true }")).toEqual([anns[1]?.attemptId]);
  expect(await filteredAttempts("{ effectUncertain: false }")).toEqual(attemptIds().filter((_, index) => index !== 1));
});
