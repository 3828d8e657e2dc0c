/** A client that keeps a picture of an owner's jobs as event-stream.md tells it to: after RESYNC it subscribes again, then queries. */
import type { LiveFeed } from "../../src/runtime/feed.ts";
import type { Store } from "../../src/store/store.ts";
import { waitUntil } from "../support/wait-until.ts";

export interface Picture {
  /** How often it was told that changes may have gone unseen. */
  resyncs(): number;
  /** Waits until the picture is what the tables say. */
  isTrue(): Promise<void>;
  stop(): Promise<void>;
}

const all = { limit: 100, fromEnd: false, after: null, before: null, ascending: true };

export function keepPicture(feed: LiveFeed, store: Store, ownerId: string): Picture {
  const states = new Map<string, { readonly state: string; readonly eventCount: number }>();
  let resyncs = 0;
  let jobs = feed.followJobs({ ownerId });
  const truth = async () => (await store.read.jobPage({ ownerId }, all)).rows;

  function see(job: { readonly id: string; readonly state: string; readonly eventCount: number }): void {
    const known = states.get(job.id);
    if (known === undefined || known.eventCount <= job.eventCount) states.set(job.id, job);
  }

  async function keep(): Promise<void> {
    for (;;) {
      const { value, done } = await jobs.next();
      if (done) return;
      if (value.kind === "changed") see(value.snapshot.job);
      else {
        resyncs += 1;
        jobs = feed.followJobs({ ownerId });
        for (const job of await truth()) see(job);
      }
    }
  }

  const keeping = keep();
  return {
    resyncs: () => resyncs,
    async isTrue() {
      await waitUntil("the client knows the truth", async () =>
        (await truth()).every((job) => states.get(job.id)?.eventCount === job.eventCount),
      );
    },
    async stop() {
      await jobs.return?.();
      await keeping;
    },
  };
}
