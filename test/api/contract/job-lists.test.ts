/** What a job lists, its attempts and its events, with the arguments that choose among them; and the connection of attempts. */
import { afterAll, beforeAll, expect } from "vitest";
import { decodeId } from "../../../src/store/ids.ts";
import { type PageSeen, pageSelection, promiseConnection, promisePages } from "../../support/contract-pages.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
/** A job with five attempts, each cancelled but the last. */
let jobId: string;
beforeAll(async () => {
  world = await startWorld();
  const made = await world.fresh("QUEUED");
  jobId = made.jobId;
  for (let attemptId = made.attemptId, number = 2; number <= 5; number += 1) {
    await world.ann.cancelAttempt(attemptId);
    attemptId = (await world.ann.retry(jobId, attemptId)).attempt?.id ?? "";
  }
});
afterAll(() => world.stop());

const promise = promisesOf("Job.attempts", "Job.events", "AttemptConnection", "AttemptEdge", "PageInfo");

const attempts = (given: string) => look<PageSeen>(world.ann, jobId, `attempts(${given}) ${pageSelection}`);

promise("Job.attempts", "are all attempts, oldest first", async () => {
  const { nodes } = await look<{ nodes: unknown }>(world.ann, jobId, "attempts { nodes { number } }");
  expect(nodes).toEqual([1, 2, 3, 4, 5].map((number) => ({ number })));
});

promisePages(promise, "Job.attempts", attempts);
promiseConnection(promise, "Attempt", attempts);

promise("AttemptConnection.totalCount", "counts all, whatever the page, and is null beyond 10,000", async () => {
  expect(await look(world.ann, jobId, "attempts(first: 1) { totalCount }")).toEqual({ totalCount: 5 });
  const crowded = await crowd();
  const attemptsOf = { attempts: { totalCount: null } };
  expect(await world.operator.ask("{ attempts(first: 1) { totalCount } }")).toEqual(attemptsOf);
  expect(await look(world.ann, crowded, "attempts(first: 1) { totalCount }")).toEqual(attemptsOf.attempts);
});

/** A job with 10,001 attempts, made past all guards: only that they are many matters. */
async function crowd(): Promise<string> {
  const { jobId: crowded } = await world.fresh("CANCELLED");
  await world.sql.begin(async (session) => {
    await session`set local session_replication_role = replica`;
    await session`insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation,
        attempt_timeout_ms, lease_ms, state, state_changed_at, job_version, run_at, created_at, finished_at)
      select gen_random_uuid(), ${decodeId("job", crowded)}, n, 'inkjet', '1', 'ann', 'steady', 1, 1, 'CANCELLED', onejob_now(), n,
        onejob_now(), onejob_now(), onejob_now() from generate_series(2, 10001) n`;
  });
  return crowded;
}

const infoOf = async (given: string) => (await attempts(given)).pageInfo;

promise("PageInfo.hasNextPage", "is whether entries follow the page", async () => {
  expect(await infoOf("first: 4")).toMatchObject({ hasNextPage: true });
  expect(await infoOf("first: 5")).toMatchObject({ hasNextPage: false });
});

promise("PageInfo.hasPreviousPage", "is whether entries precede the page", async () => {
  expect(await infoOf("last: 4")).toMatchObject({ hasPreviousPage: true });
  expect(await infoOf("last: 5")).toMatchObject({ hasPreviousPage: false });
});

promise("PageInfo.startCursor", "is the first edge's, and null on an empty page", async () => {
  const { edges, pageInfo } = await attempts("first: 2");
  expect(pageInfo.startCursor).toBe(edges[0]?.cursor);
  expect(await infoOf("first: 0")).toMatchObject({ startCursor: null });
});

promise("PageInfo.endCursor", "is the last edge's, and null on an empty page", async () => {
  const { edges, pageInfo } = await attempts("first: 2");
  expect(pageInfo.endCursor).toBe(edges[1]?.cursor);
  expect(await infoOf("first: 0")).toMatchObject({ endCursor: null });
});

const numbers = async (given: string) => {
  const events = await look<{ number: number }[]>(world.ann, jobId, `events${given} { number }`);
  return events.map(({ number }) => number);
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

promise("Job.events", "are the whole log from its beginning, in order", async () => {
  const count = await look<number>(world.ann, jobId, "lastEventNumber");
  expect(await numbers("")).toEqual(upTo(count));
});

promise("Job.events(after:)", "leaves out the events up to a number", async () => {
  const count = await look<number>(world.ann, jobId, "lastEventNumber");
  expect(await numbers("(after: 3)")).toEqual(upTo(count).slice(3));
  expect(await numbers(`(after: ${count})`)).toEqual([]);
});

promise("Job.events(first:)", "takes so many of them", async () => {
  expect(await numbers("(first: 2)")).toEqual([1, 2]);
  expect(await numbers("(after: 2, first: 2)")).toEqual([3, 4]);
});

promise("Job.events(last:)", "takes the newest instead, still in order", async () => {
  const count = await look<number>(world.ann, jobId, "lastEventNumber");
  expect(await numbers("(last: 2)")).toEqual([count - 1, count]);
});
