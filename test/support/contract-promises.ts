/**
 * Tests of the contract, a test for each part of it. A test is named after its part, and fails unless what it sent and got
 * has shown that part. A file names the types and fields that it takes upon itself, and fails where one of their parts has no test.
 */
import { expect, it } from "vitest";
import { exceptions } from "./contract-exceptions.ts";
import { partsOfClaim, sightsOf } from "./contract-parts.ts";
import { noteSightings } from "./contract-sightings.ts";
import { listen } from "./traffic.ts";

/** Declares the test of a part: what holds of it, and a body that shows and asserts it. */
export type Keep = (part: string, rule: string, body: () => Promise<unknown>) => void;

async function sightingsDuring(body: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const stop = listen((exchange) => noteSightings(seen, exchange));
  try {
    await body();
  } finally {
    stop();
  }
  return seen;
}

export function promisesOf(...given: readonly (string | readonly string[])[]): Keep {
  const claims = given.flat();
  const promised = new Set<string>();
  it(`each part of ${claims.join("; ")} has a test, and each test a part`, () => {
    const parts = claims.flatMap(partsOfClaim).filter((part) => !exceptions.has(part));
    expect([...promised].toSorted()).toEqual(parts.toSorted());
  });
  return (part, rule, body) => {
    promised.add(part);
    it(`${part} ${rule}`, async () => {
      const seen = await sightingsDuring(body);
      const unseen = sightsOf(part).filter((sight) => !exceptions.has(sight) && !seen.has(sight));
      expect(unseen, "what the test is named after, and has not shown").toEqual([]);
    });
  };
}
