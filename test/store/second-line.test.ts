/** The second line behind the owner's condition (I11): with the condition turned round on the wire, no read hands out another owner's row. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../src/server/log.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { refusalOf } from "../support/api-client.ts";
import { startApiServer } from "../support/api-server.ts";
import { createOne } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { openWire, type Wire } from "../support/wire.ts";

/** As Drizzle writes the condition, and of equal length its opposite: so the message stays as long as it says. */
const condition = '"jobs"."owner_id" = $';
const opposite = '"jobs"."owner_id"<> $';

let db: TestStore;
let wire: Wire;
let broken: Store;
let annsJob: string;
let annsAttempt: string;
beforeAll(async () => {
  db = await openTestStore();
  annsJob = await createOne(db.store, { idempotencyKey: "key" });
  [annsAttempt] = (await db.store.read.attemptsOfJobs([annsJob])).map(({ id }) => id) as [string];
  wire = await openWire(db.url, ({ client, database }) => {
    client.on("data", (bytes: Buffer) => {
      database.write(Buffer.from(bytes.toString("latin1").replaceAll(condition, opposite), "latin1"));
    });
    client.on("end", () => database.end());
    database.pipe(client);
  });
  broken = await openStore({ url: wire.url, poolSize: 2 });
});
afterAll(async () => {
  await broken.close();
  await wire.close();
  await db.close();
});

const page = { limit: 10, fromEnd: false, after: null, before: null, ascending: true };

/** Each as Bob would ask, who has nothing: over the broken wire it finds what is Ann's. */
const reads: Record<string, (store: Store) => Promise<unknown>> = {
  jobs: ({ read }) => read.jobs([annsJob], "bob"),
  attempts: ({ read }) => read.attempts([annsAttempt], "bob"),
  jobByKey: ({ read }) => read.jobByKey("bob", "key"),
  keyHolders: ({ read }) => read.keyHolders("bob", ["key"]),
  jobPage: async ({ read }) => (await read.jobPage({ ownerId: "bob" }, page)).rows,
  attemptPage: async ({ read }) => (await read.attemptPage({ ownerId: "bob" }, page)).rows,
  openJobIds: ({ read }) => read.openJobIds({ ownerId: "bob" }, 10),
};

test("the wire does break the condition: a count, which has no rows to look at, counts another owner's job", async () => {
  expect(await db.store.read.jobCount({ ownerId: "bob" })).toBe(0);
  expect(await broken.read.jobCount({ ownerId: "bob" })).toBe(1);
});

test.each(Object.keys(reads))(
  "%s finds nothing with the condition, and throws instead of handing out without it",
  async (name) => {
    const found = await reads[name]?.(db.store);
    expect(found instanceof Map ? [...found] : (found ?? [])).toEqual([]);
    await expect(reads[name]?.(broken)).rejects.toThrow(/brought 1 of 1 rows of others, and none was handed out/);
  },
);

test("whoever has every owner's scope is held to none", async () => {
  expect(await broken.read.jobs([annsJob], null)).toHaveLength(1);
});

test("a caller is told nothing, and the log everything but what the rows hold", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "error", format: "json", write: (line) => void lines.push(line) });
  const server = await startApiServer({ databaseUrl: wire.url, log });
  const refusal = await refusalOf(server.as("bob").ask("{ jobs { nodes { id input } } }"));
  expect(refusal).toMatchObject({ code: "INTERNAL_SERVER_ERROR", message: "Unexpected error." });
  expect(lines.join("")).toContain("brought 1 of 1 rows of others");
  expect(lines.join("")).not.toContain("hello");
  await server.stop();
});
