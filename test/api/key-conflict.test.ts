/** The second breaking point, through the API: a key is bound to its intent, and another one is a conflict, whatever became of the job. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateInput } from "../support/api-client.ts";
import { jobStates, newJob, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const keyOf = async (jobId: string) => (await server.ann.job(jobId)).idempotencyKey;

describe.each(jobStates)("while the job is %s", (state) => {
  it("the same key with another input is a conflict at once, and the first job stays byte for byte (faults 8)", async () => {
    const { jobId } = await reach(server, state);
    const idempotencyKey = await keyOf(jobId);
    const before = await server.rowsOf(jobId);
    const other = await server.ann.create({
      idempotencyKey,
      operation: "print",
      input: { text: "Another menu", copies: 2 },
    });
    expect(other).toMatchObject({
      __typename: "IdempotencyConflict",
      code: "IDEMPOTENCY_CONFLICT",
      differences: ["/input/text", "/input/copies"],
      existingJob: { id: jobId, state },
    });
    expect(await server.rowsOf(jobId)).toEqual(before);
  });

  it("the same key with an input that would be refused is a conflict all the same", async () => {
    const { jobId } = await reach(server, state);
    const idempotencyKey = await keyOf(jobId);
    const before = await server.countRows();
    const broken = [{ text: 7 }, { text: "a\0b" }, {}, [2 ** 53]];
    const answers = await Promise.all(
      broken.map((input) => server.ann.create({ idempotencyKey, operation: "print", input })),
    );
    expect(answers.map((answer) => answer.__typename)).toEqual(broken.map(() => "IdempotencyConflict"));
    expect(await server.countRows()).toEqual(before);
  });

  it("the same key with the same intent is the same job", async () => {
    const { jobId } = await reach(server, state);
    const before = await server.rowsOf(jobId);
    const again = await server.ann.create({
      idempotencyKey: await keyOf(jobId),
      operation: "print",
      input: { text: "Menu" },
    });
    expect(again).toMatchObject({ __typename: "CreateJobSuccess", created: false, job: { id: jobId, state } });
    expect(await server.rowsOf(jobId)).toEqual(before);
  });
});

describe("what makes another intent", () => {
  const others: readonly [what: string, changes: Partial<CreateInput>, differences: readonly string[]][] = [
    ["another operation", { operation: "quick" }, ["/operation"]],
    ["an unknown operation", { operation: "fax" }, ["/operation", "/provider", "/fallbackProviders"]],
    ["another provider", { provider: "laser" }, ["/provider", "/fallbackProviders"]],
    ["another fallback list", { fallbackProviders: [] }, ["/fallbackProviders"]],
    ["another input", { input: { text: "Menu", copies: 1 } }, ["/input/copies"]],
  ];

  it.each(others)(
    "%s is a conflict, and the first job still completes (faults 9)",
    async (_what, changes, differences) => {
      const job = await newJob(server);
      const first = { idempotencyKey: job.idempotencyKey, operation: "print", input: { text: "Menu" } };
      const held = await server.worker.take(job.id);
      const before = await server.rowsOf(job.id);
      expect(await server.ann.create({ ...first, ...changes })).toMatchObject({
        __typename: "IdempotencyConflict",
        differences,
      });
      expect(await server.rowsOf(job.id)).toEqual(before);
      expect(await held.complete({ pages: 1 })).toMatchObject({ __typename: "CompleteAttemptSuccess" });
      expect(await server.ann.job(job.id)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
    },
  );

  it("metadata, priority and the time to start do not: the first ones stay", async () => {
    const create = { idempotencyKey: "labelled", operation: "print", input: { text: "Menu" } };
    const first = await server.ann.create({ ...create, metadata: { table: 4 } });
    const before = await server.rowsOf(first.job!.id);
    const again = await server.ann.create({
      ...create,
      metadata: { table: 5 },
      priority: 9,
      notBefore: "2099-01-01T00:00:00.000Z",
    });
    expect(again).toMatchObject({ created: false, job: { id: first.job!.id } });
    expect(await server.rowsOf(first.job!.id)).toEqual(before);
  });

  it("differences are told to the owner of the key alone: another owner's same key is another job (faults 11)", async () => {
    const [ann, bob] = [server.ann, server.as("bob")];
    const first = await ann.create({ idempotencyKey: "1", operation: "print", input: { text: "Ann's secret" } });
    const second = await bob.create({ idempotencyKey: "1", operation: "print", input: { text: "Bob's own" } });
    expect(second).toMatchObject({ __typename: "CreateJobSuccess", created: true });
    expect(second.job?.id).not.toBe(first.job?.id);
    expect(JSON.stringify(second)).not.toContain(first.job!.id);
    const conflict = await bob.create({ idempotencyKey: "1", operation: "print", input: { text: "Ann's secret" } });
    expect(conflict).toMatchObject({ __typename: "IdempotencyConflict", existingJob: { id: second.job?.id } });
    expect(JSON.stringify(conflict)).not.toContain(first.job!.id);
    expect(await bob.jobOrNull(first.job!.id)).toBeNull();
  });
});

it("createJobs answers each job as createJob would, with pointers into what was sent", async () => {
  const job = await newJob(server);
  const one = { operation: "print", input: { text: "Menu" } };
  const answer = await server.ann.send("create-jobs", {
    jobs: [
      { ...one, idempotencyKey: "of many" },
      { ...one, idempotencyKey: job.idempotencyKey, provider: "laser", input: { text: "Other" } },
      one,
      { ...one, idempotencyKey: "unfit", input: { text: 7 } },
    ],
  });
  expect(answer.results?.map(({ __typename }) => __typename)).toEqual([
    "CreateJobSuccess",
    "IdempotencyConflict",
    "InvalidInput",
    "InvalidInput",
  ]);
  const [, conflict, keyless, unfit] = answer.results ?? [];
  expect(conflict?.differences).toEqual(["/jobs/1/provider", "/jobs/1/fallbackProviders", "/jobs/1/input/text"]);
  expect(keyless?.issues).toEqual([
    { path: "/jobs/2/idempotencyKey", message: expect.stringContaining("of its own in the input") as string },
  ]);
  expect(unfit?.issues?.map(({ path }) => path)).toEqual(["/jobs/3/input/text"]);
});

it("of two different intents that race for one key one is recorded, and the other a conflict with it", async () => {
  const rounds = Array.from({ length: 10 }, (_, round) => `race ${round}`);
  for (const idempotencyKey of rounds) {
    const answers = await Promise.all(
      ["left", "right"].map((text) => server.ann.create({ idempotencyKey, operation: "print", input: { text } })),
    );
    const won = answers.find((answer) => answer.__typename === "CreateJobSuccess");
    const lost = answers.find((answer) => answer.__typename === "IdempotencyConflict");
    expect(won?.created).toBe(true);
    expect(lost).toMatchObject({ differences: ["/input/text"], existingJob: { id: won?.job?.id } });
  }
});
