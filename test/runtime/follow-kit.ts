/** Reading a followed job in tests: short words for what every test of the feed does. */
import type { Catalog } from "../../src/domain/operation.ts";
import { externalProvider } from "../../src/providers/provider.ts";
import { type LiveFeed, openFeed } from "../../src/runtime/feed.ts";
import type { EventDelivery } from "../../src/runtime/ports.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { catalogOf } from "./print-catalog.ts";
import { claimUnder, keepLog } from "./print-jobs.ts";

/** Longer than any test: what is seen was not seen by the poll. */
export const never = 3_600_000;

export function shop(): Catalog {
  return catalogOf([externalProvider({ name: "inkjet", revision: "1" })]);
}

/** A feed of the test's own, which must leave nobody behind. */
export async function withFeed(
  store: Store,
  work: (feed: LiveFeed) => Promise<void>,
  pollMs: number = never,
): Promise<void> {
  const feed = openFeed({ store, log: keepLog(), pollMs });
  try {
    await work(feed);
  } finally {
    await feed.close();
  }
  if (feed.followerCount() !== 0) throw new Error(`${feed.followerCount()} followers were left behind.`);
}

export async function claimOf(store: Store, catalog: Catalog): Promise<Claim> {
  const [claim] = await store.claimAttempts(claimUnder(catalog));
  if (claim === undefined) throw new Error("Nothing was waiting.");
  return claim;
}

export async function next<Value>(iterator: AsyncIterator<Value>): Promise<Value> {
  const { value, done } = await iterator.next();
  if (done) throw new Error("It is over.");
  return value;
}

export async function take(iterator: AsyncIterator<EventDelivery>, count: number): Promise<EventDelivery[]> {
  const deliveries: EventDelivery[] = [];
  while (deliveries.length < count) deliveries.push(await next(iterator));
  return deliveries;
}

export const numbersOf = (deliveries: readonly EventDelivery[]) => deliveries.map(({ event }) => event.number);

export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
