/** The claim desk against PostgreSQL: workers wait for work, get it at once when it comes, and never all ask for it together. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Catalog } from "../../src/domain/operation.ts";
import { externalProvider } from "../../src/providers/provider.ts";
import { type OpenClaimDesk, openClaimDesk } from "../../src/runtime/claim-desk.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { claimUnder, createPrint, keepLog } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
/** Longer than any test: what is found was not found by the poll. */
const never = 3_600_000;
const longMs = 60_000;

beforeAll(async () => {
  opened = await openTestStore();
});

afterAll(async () => {
  await opened.close();
});

/** A desk of the test's own, over a store that counts how often it is asked. */
async function atDesk(
  work: (desk: OpenClaimDesk, catalog: Catalog, asked: () => number) => Promise<void>,
  options: { pollMs?: number; store?: Partial<Store> } = {},
): Promise<void> {
  let count = 0;
  const { claimAttempts } = opened.store;
  const counting: Store = {
    ...opened.store,
    claimAttempts(command) {
      count += 1;
      return claimAttempts(command);
    },
    ...options.store,
  };
  const desk = openClaimDesk({ store: counting, log: keepLog(), pollMs: options.pollMs ?? never });
  try {
    await work(desk, catalogOf([externalProvider({ name: "inkjet", revision: "1" })]), () => count);
  } finally {
    await desk.stop();
  }
}

test("what is there is given at once", async () => {
  await atDesk(async (desk, catalog) => {
    const jobId = await createPrint(opened.store, catalog);
    const claims = await desk.claim(claimUnder(catalog), longMs);
    expect(claims.map((claim) => claim.attempt.jobId)).toEqual([jobId]);
  });
});

test("with nothing there, no wait and a wait that is over answer with nothing", async () => {
  await atDesk(async (desk, catalog) => {
    expect(await desk.claim(claimUnder(catalog), 0)).toEqual([]);
    expect(await desk.claim(claimUnder(catalog), 20)).toEqual([]);
    expect(desk.waitingCount()).toBe(0);
  });
});

test("a waiting claim gets the job when it is created, without a poll", async () => {
  await atDesk(async (desk, catalog) => {
    const claiming = desk.claim(claimUnder(catalog), longMs);
    await waitUntil("it waits", () => desk.waitingCount() === 1);
    const jobId = await createPrint(opened.store, catalog);
    expect((await claiming).map((claim) => claim.attempt.jobId)).toEqual([jobId]);
  });
});

test("a waiting claim gets a job that another process created", async () => {
  const other = await opened.openAnother();
  await atDesk(async (desk, catalog) => {
    const claiming = desk.claim(claimUnder(catalog), longMs);
    await waitUntil("it waits", () => desk.waitingCount() === 1);
    const jobId = await createPrint(other, catalog);
    expect((await claiming).map((claim) => claim.attempt.jobId)).toEqual([jobId]);
  });
});

test("a job created between the look and the wait is not overlooked", async () => {
  let created: string | null = null;
  const catalogs: Catalog[] = [];
  const claimAttempts: Store["claimAttempts"] = async (command) => {
    const claims = await opened.store.claimAttempts(command);
    if (created === null && catalogs[0] !== undefined) created = await createPrint(opened.store, catalogs[0]);
    return claims;
  };
  await atDesk(
    async (desk, catalog) => {
      catalogs.push(catalog);
      const claims = await desk.claim(claimUnder(catalog), longMs);
      expect(claims.map((claim) => claim.attempt.jobId)).toEqual([created]);
    },
    { store: { claimAttempts } },
  );
});

test("an attempt that comes due later is found by the poll", async () => {
  await atDesk(
    async (desk, catalog) => {
      const [soon] = await opened.sql<{ at: Date }[]>`select onejob_now() + interval '300 ms' as at`;
      await createPrint(opened.store, catalog, { notBefore: soon?.at ?? null });
      expect(await desk.claim(claimUnder(catalog), 0)).toEqual([]);
      expect(await desk.claim(claimUnder(catalog), longMs)).toHaveLength(1);
    },
    { pollMs: 20 },
  );
});

test("the signal ends the wait with nothing, and leaves the work to others", async () => {
  await atDesk(async (desk, catalog) => {
    const leaving = new AbortController();
    const claiming = desk.claim(claimUnder(catalog), longMs, leaving.signal);
    await waitUntil("it waits", () => desk.waitingCount() === 1);
    leaving.abort();
    expect(await claiming).toEqual([]);
    expect(desk.waitingCount()).toBe(0);
    await createPrint(opened.store, catalog);
    expect(await desk.claim(claimUnder(catalog), longMs)).toHaveLength(1);
  });
});

test("of many that wait for one job one gets it, and only it and the next one ask", async () => {
  await atDesk(async (desk, catalog, asked) => {
    const claiming = Array.from({ length: 20 }, (_, index) =>
      desk.claim(claimUnder(catalog, { workerId: `w${index}` }), longMs),
    );
    await waitUntil("all wait", () => desk.waitingCount() === 20);
    const before = asked();
    await createPrint(opened.store, catalog);
    await Promise.race(claiming);
    await waitUntil("the next one has asked", () => asked() === before + 2);
    expect(desk.waitingCount()).toBe(19);
    await desk.stop();
    const claims = (await Promise.all(claiming)).flat();
    expect(claims).toHaveLength(1);
    expect(asked()).toBe(before + 2);
  });
});

test("many that wait for many jobs get one each", async () => {
  await atDesk(async (desk, catalog) => {
    const claiming = Array.from({ length: 20 }, (_, index) =>
      desk.claim(claimUnder(catalog, { workerId: `w${index}` }), longMs),
    );
    await waitUntil("all wait", () => desk.waitingCount() === 20);
    const jobIds = await Promise.all(Array.from({ length: 20 }, () => createPrint(opened.store, catalog)));
    const claims = await Promise.all(claiming);
    expect(claims.map((mine) => mine.length)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(new Set(claims.flat().map((claim) => claim.attempt.jobId))).toEqual(new Set(jobIds));
  });
});

test("stopping the desk ends every wait with nothing", async () => {
  await atDesk(async (desk, catalog) => {
    const claiming = [
      desk.claim(claimUnder(catalog), longMs),
      desk.claim(claimUnder(catalog, { operations: null }), longMs),
    ];
    await waitUntil("both wait", () => desk.waitingCount() === 2);
    await desk.stop();
    expect(await Promise.all(claiming)).toEqual([[], []]);
  });
});

test("a claim that fails while it waits fails alone", async () => {
  let fails = false;
  const claimAttempts: Store["claimAttempts"] = (command) => {
    if (!fails) return opened.store.claimAttempts(command);
    fails = false;
    return Promise.reject(new Error("away"));
  };
  await atDesk(
    async (desk, catalog) => {
      const first = desk.claim(claimUnder(catalog, { workerId: "first" }), longMs);
      await waitUntil("it waits", () => desk.waitingCount() === 1);
      const second = desk.claim(claimUnder(catalog, { workerId: "second" }), longMs);
      await waitUntil("both wait", () => desk.waitingCount() === 2);
      const failing = first.catch((error: unknown) => String(error));
      fails = true;
      await createPrint(opened.store, catalog);
      expect(await failing).toBe("Error: away");
      expect(await second).toHaveLength(1);
    },
    { store: { claimAttempts }, pollMs: 20 },
  );
});
