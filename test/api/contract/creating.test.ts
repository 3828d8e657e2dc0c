/** createJob and createJobs: each field of their inputs and answers, by a test of its own name. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { intent, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Mutation.createJob",
  "Mutation.createJobs",
  "CreateJobInput",
  "CreateJobResult",
  "CreateJobSuccess",
  "CreateJobsInput",
  "CreateJobsResult",
  "CreateJobsSuccess",
);
const job = (selection: string) => `... on CreateJobSuccess { job { ${selection} } }`;
const create = (given: Fields, selection = job("id")) => mutate(world.ann, "createJob", given, selection);

promise("Mutation.createJob", "records an intent once, and answers its repeat with the same job", async () => {
  const given = intent();
  const first = await create(given, job("id state"));
  expect(first).toMatchObject({ __typename: "CreateJobSuccess", job: { state: "QUEUED" } });
  expect(await create(given, job("id state"))).toEqual(first);
});

promise("CreateJobInput.idempotencyKey", "is what the job is found by: another key, another job", async () => {
  const given = intent();
  const { job: first } = await create(given);
  expect((await create(given)).job).toEqual(first);
  expect((await create({ ...given, idempotencyKey: randomUUID() })).job).not.toEqual(first);
});

promise("CreateJobInput.operation", "chooses the operation, and one that there is not is InvalidInput", async () => {
  expect(await create(intent({ operation: "poster" }), job("operationName"))).toMatchObject({
    job: { operationName: "poster" },
  });
  const refused = await create(intent({ operation: "toast" }), "... on InvalidInput { issues { path } }");
  expect(refused.issues).toEqual([{ path: "/operation" }]);
});

promise("CreateJobInput.provider", "chooses the target, by default the operation's first", async () => {
  const names = job("providerName latestAttempt { providerName }");
  const on = (providerName: string) => ({ job: { providerName, latestAttempt: { providerName } } });
  expect(await create(intent({ provider: "laser" }), names)).toMatchObject(on("laser"));
  expect(await create(intent(), names)).toMatchObject(on("inkjet"));
});

promise(
  "CreateJobInput.fallbackProviders",
  "chooses who may take over, by default the operation's others",
  async () => {
    const names = job("fallbackProviderNames");
    const any = { operation: "any", fallbackProviders: ["plotter"] };
    expect(await create(intent(any), names)).toMatchObject({ job: { fallbackProviderNames: ["plotter"] } });
    expect(await create(intent({ operation: "any" }), names)).toMatchObject({
      job: { fallbackProviderNames: ["laser", "plotter"] },
    });
  },
);

promise("CreateJobInput.input", "is the job's, and what a worker is handed", async () => {
  const { job: made } = await create(intent({ input: { text: "Soup", copies: 2 } }), job("id input"));
  expect(made).toMatchObject({ input: { text: "Soup", copies: 2 } });
  expect((await world.worker.take(made!.id)).claim.input).toEqual({ text: "Soup", copies: 2 });
});

promise("CreateJobInput.metadata", "is kept, and no part of the intent", async () => {
  const given = intent({ metadata: { table: 4 } });
  const first = await create(given, job("id metadata"));
  expect(first).toMatchObject({ job: { metadata: { table: 4 } } });
  expect(await create({ ...given, metadata: { table: 5 } }, job("id metadata"))).toEqual(first);
});

promise("CreateJobInput.notBefore", "keeps the first attempt waiting, and is no part of the intent", async () => {
  const given = intent({ notBefore: "2100-01-01T00:00:00+01:00" });
  const first = await create(given, job("id latestAttempt { scheduledAt }"));
  expect(first).toMatchObject({ job: { latestAttempt: { scheduledAt: "2099-12-31T23:00:00.000Z" } } });
  expect(await world.worker.finds(first.job!.id)).toBe(false);
  expect((await create({ ...given, notBefore: null })).job?.id).toBe(first.job?.id);
});

promise("CreateJobInput.priority", "has the higher one claimed first, and is no part of the intent", async () => {
  const given = intent({ operation: "stamp", priority: -100 });
  const low = await create(given);
  const high = await create(intent({ operation: "stamp", priority: 100 }));
  const claimed = [
    ...(await world.worker.claim({ providers: ["plotter"], limit: 1 })),
    ...(await world.worker.claim({ providers: ["plotter"], limit: 1 })),
  ];
  expect(claimed.map(({ attempt }) => attempt.job.id)).toEqual([high.job?.id, low.job?.id]);
  expect((await create({ ...given, priority: 7 })).job?.id).toBe(low.job?.id);
});

promise("CreateJobResult = CreateJobSuccess", "answers a recorded intent", async () => {
  expect(await create(intent())).toMatchObject({ __typename: "CreateJobSuccess" });
});

promise("CreateJobResult = IdempotencyConflict", "answers another intent under the same key", async () => {
  const given = intent();
  await create(given);
  expect(await create({ ...given, input: { text: "Bill" } })).toMatchObject({ __typename: "IdempotencyConflict" });
});

promise("CreateJobResult = InvalidInput", "answers an input off the operation's schema", async () => {
  expect(await create(intent({ input: { text: 7 } }))).toMatchObject({ __typename: "InvalidInput" });
});

promise("CreateJobSuccess.job", "is the job of the key", async () => {
  const given = intent();
  expect(await create(given, job("idempotencyKey"))).toMatchObject({ job: { idempotencyKey: given.idempotencyKey } });
});

promise("CreateJobSuccess.created", "is true once, and false for each repeat", async () => {
  const given = intent();
  const created = "... on CreateJobSuccess { created }";
  expect(await create(given, created)).toMatchObject({ created: true });
  expect(await create(given, created)).toMatchObject({ created: false });
});

const results = `... on CreateJobsSuccess { results { __typename ... on CreateJobSuccess { job { idempotencyKey } } } }`;
const createAll = (jobs: readonly Fields[]) => mutate(world.ann, "createJobs", { jobs }, results);

promise("Mutation.createJobs", "records many at once, as createJob would each", async () => {
  const [first, second] = [intent(), intent()];
  await createAll([first, second]);
  for (const given of [first, second])
    expect(await create(given, "... on CreateJobSuccess { created }")).toMatchObject({ created: false });
});

promise("CreateJobsInput.jobs", "are answered one by one, in order", async () => {
  const given = [intent(), intent()];
  const answer = await createAll(given);
  expect(answer.results?.map((result) => result.job?.idempotencyKey)).toEqual(given.map((one) => one.idempotencyKey));
});

promise("CreateJobsResult = CreateJobsSuccess", "answers also where single ones are refused", async () => {
  expect(await createAll([intent({ operation: "toast" })])).toMatchObject({ __typename: "CreateJobsSuccess" });
});

promise("CreateJobsResult = InvalidInput", "answers more than 1,000 at once", async () => {
  const jobs = Array.from({ length: 1_001 }, () => ({ operation: "steady", input: {} }));
  expect(await createAll(jobs)).toMatchObject({ __typename: "InvalidInput" });
});

promise("CreateJobsSuccess.results", "are an answer of its own for each, in order", async () => {
  const taken = intent();
  const answer = await createAll([taken, { ...taken, input: { text: "Bill" } }, intent({ input: {} })]);
  expect(answer.results?.map((result) => result.__typename).toSorted()).toEqual([
    "CreateJobSuccess",
    "IdempotencyConflict",
    "InvalidInput",
  ]);
  expect(answer.results?.[2]?.__typename).toBe("InvalidInput");
});
