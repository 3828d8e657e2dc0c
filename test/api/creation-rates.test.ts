/** The creation rate of an owner through the API of two servers: what counts as a creation, what passes all the same, and how a refusal looks. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Api, refusalOf } from "../support/api-client.ts";
import { apiConfig, tokens } from "../support/api-config.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { startCountedServer } from "../support/counted-server.ts";

const config = { ...apiConfig, limits: { creationsPerOwner: { count: 3, perMs: 3_600_000 }, batchSize: 6 } };

let server: ApiServer;
let second: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ config });
  second = await startApiServer({ config, databaseUrl: server.databaseUrl });
});
// The rates alone: the servers are at work on the other tables.
beforeEach(() => server.sql`truncate creation_rates`);
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const intent = (changes = {}) => ({
  idempotencyKey: randomUUID(),
  operation: "print",
  input: { text: "Menu" },
  ...changes,
});
const createMany = (count: number, api: Api = server.ann) =>
  api.send("create-jobs", { jobs: Array.from({ length: count }, () => intent()) });
const rateRows = () => server.sql`select xmin, r.* from creation_rates r order by owner_id`;

async function useUp(): Promise<ReturnType<typeof intent>> {
  const made = intent();
  await server.ann.create(made);
  await createMany(2, second.ann);
  return made;
}

it("holds over both servers, writes nothing where it refuses, and leaves other owners alone", async () => {
  await useUp();
  const before = [await server.countRows(), await rateRows()];
  for (const api of [server.ann, second.ann, server.as("annAtHome")]) {
    expect(await refusalOf(api.create(intent()))).toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringMatching(
        /^An owner may create 3 new jobs within 3600000 ms, .* after \d+ ms, with the same idempotency key\.$/,
      ),
    });
  }
  expect([await server.countRows(), await rateRows()]).toEqual(before);
  expect(await server.as("bob").create(intent())).toMatchObject({ created: true });
});

it("answers a known key as ever while the owner is over it: the repeat, the conflict, the input that is refused", async () => {
  const made = await useUp();
  const before = await rateRows();
  expect(await second.ann.create(made)).toMatchObject({ __typename: "CreateJobSuccess", created: false });
  expect(await second.ann.create({ ...made, input: { text: "Bill" } })).toMatchObject({
    __typename: "IdempotencyConflict",
  });
  expect(await second.ann.create({ ...made, input: 7 })).toMatchObject({ __typename: "IdempotencyConflict" });
  const many = [made, made, intent({ operation: "unknown" })];
  expect((await server.ann.send("create-jobs", { jobs: many })).results).toMatchObject([
    { created: false },
    { created: false },
    { __typename: "InvalidInput" },
  ]);
  expect(await rateRows()).toEqual(before);
});

it("takes nothing for a repeat, nor for an input that is refused", async () => {
  const made = intent();
  for (let time = 0; time < 5; time += 1) {
    expect(await server.ann.create(made)).toMatchObject({ created: time === 0 });
    expect(await server.ann.create(intent({ input: 7 }))).toMatchObject({ __typename: "InvalidInput" });
  }
  expect((await createMany(2)).results).toMatchObject([{ created: true }, { created: true }]);
});

it("createJobs is refused whole, before anything is written, and counts one key once", async () => {
  await createMany(2);
  const before = await server.countRows();
  const [one, two] = [intent(), intent()];
  expect(await refusalOf(server.ann.send("create-jobs", { jobs: [one, two] }))).toMatchObject({
    code: "RATE_LIMITED",
    message: expect.stringContaining("this would be more"),
  });
  expect(await server.countRows()).toEqual(before);
  expect((await server.ann.send("create-jobs", { jobs: [one, one] })).results?.map(({ created }) => created)).toEqual(
    expect.arrayContaining([true, false]),
  );
});

it("more new jobs at once than the limit are told that they never fit", async () => {
  const before = [await server.countRows(), await rateRows()];
  const { code, message } = await refusalOf(createMany(4));
  expect(code).toBe("RATE_LIMITED");
  expect(message).toContain("which never fit. Nothing was written: give at most 3 at once");
  expect([await server.countRows(), await rateRows()]).toEqual(before);
});

it("says how long to wait, in the error and over HTTP in Retry-After, with the status of the media type", async () => {
  await useUp();
  const query = `mutation { createJob(input: { operation: "print", idempotencyKey: "k", input: { text: "a" } }) { __typename } }`;
  for (const [accept, status] of [
    ["application/json", 200],
    ["application/graphql-response+json", 429],
  ] as const) {
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { accept, "content-type": "application/json", authorization: `Bearer ${tokens.ann}` },
      body: JSON.stringify({ query }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { retryAfterMs: number } }[] };
    const { retryAfterMs } = errors[0]!.extensions;
    expect(errors[0]!.extensions).toEqual({ code: "RATE_LIMITED", retryAfterMs });
    // A slice of a sixtieth of the span is the most that it may be late.
    expect(retryAfterMs).toBeGreaterThan(3_500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_660_000);
    expect(Number(response.headers.get("retry-after"))).toBe(Math.ceil(retryAfterMs / 1_000));
    expect(response.status).toBe(status);
  }
});

it("limits.batchSize bounds createJobs and cancelJobs, and the refusal names it", async () => {
  const issues = (path: string, text: string) => ({
    __typename: "InvalidInput",
    issues: [{ path, message: expect.stringContaining(text) }],
  });
  expect(await createMany(7)).toMatchObject(issues("/jobs", "give at most 6 at once (limits.batchSize)"));
  const cancel = (limit: number) =>
    server.ann.send("cancel-jobs", { filter: { operation: "print" }, limit, reason: "over" });
  expect(await cancel(7)).toMatchObject(issues("/limit", "give 1 to 6 (limits.batchSize)"));
  expect(await cancel(0)).toMatchObject(issues("/limit", "give 1 to 6"));
  expect(await cancel(6)).toMatchObject({ __typename: "CancelJobsSuccess" });
});

it("costs not one statement where it is not configured", async () => {
  const counted = await startCountedServer();
  await counted.ann.create(intent());
  const statements = await counted.statementsOf(() => counted.ann.create(intent()));
  // The insert with its notification, and what the answer shows of the job.
  expect(statements.filter((statement) => statement.includes("insert into jobs"))).toHaveLength(1);
  expect(statements.filter((statement) => /creation/.test(statement))).toEqual([]);
  await counted.stop();
});
