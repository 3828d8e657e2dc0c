/**
 * A client that follows jobs over one WebSocket as applications do, and never opens another: each job's events by number, its
 * newest picture, and the list of all of its owner's jobs, which it asks for anew when it is told to (RESYNC).
 */
import { expect } from "vitest";
import { encodeId } from "../../src/store/ids.ts";
import type { EventView, JobView } from "../support/api-answers.ts";
import type { Fields } from "../support/api-client.ts";
import type { ApiServer } from "../support/api-server.ts";
import { overSocket, type Stream } from "../support/api-streams.ts";
import { waitUntil } from "../support/wait-until.ts";

export interface Audience {
  /** Follows the job's events from the first on, and its pictures. */
  follow(jobId: string): Stream<EventView>;
  /** How often the list was said to have a gap. */
  readonly resyncs: number;
  /** Waits until every stream and the list show what the database holds; throws where one missed or repeated something. */
  endsWithTruth(): Promise<void>;
  /** The list shows what fits. */
  lists(what: string, fits: (job: JobView) => boolean): Promise<JobView>;
  /** The subscriptions on the list that have begun so far; it waits for one more. */
  resyncsMoreThan(count: number): Promise<void>;
  /** Closes the socket, and waits until the server keeps nothing of it. */
  leave(): Promise<void>;
}

interface JobsPage {
  readonly edges: readonly { readonly node: JobView }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Followed {
  readonly events: Stream<EventView>;
  readonly pictures: Stream<JobView>;
}

/** Nothing could be read at its start: whoever asked is to ask again. */
function isAway({ ended, seen, errors }: Stream<unknown>): boolean {
  return ended && seen.length === 0 && errors.length === 1 && errors[0]?.code === "DATABASE_UNAVAILABLE";
}

interface Truth {
  readonly id: string;
  readonly events: number;
  readonly state: string;
}

/** Longer than a server needs to find out, at the pace that these tests set it. */
const truthMs = 30_000;

async function readTruth(server: ApiServer): Promise<Truth[]> {
  const rows = await server.sql<{ id: string; events: number; state: string }[]>`
    select id, state, (select count(*)::int from job_events where job_id = jobs.id) as events
    from jobs where owner_id = 'ann'`;
  return rows.map((row) => ({ ...row, id: encodeId("job", row.id) }));
}

export async function openAudience(server: ApiServer): Promise<Audience> {
  const streams = overSocket(server.url, "ann");
  const followed = new Map<string, Followed>();
  const list = new Map<string, JobView>();
  let resyncs = 0;
  let current: Stream<JobView>;

  function note(job: JobView): void {
    const known = list.get(job.id);
    if (known === undefined || known.lastEventNumber <= job.lastEventNumber) list.set(job.id, job);
  }

  /** Subscribes first, then asks, as docs/event-stream.md says. */
  async function begin(): Promise<void> {
    current = streams.open("jobs-updated", {});
    for (let after: string | null = null, isMore = true; isMore; ) {
      const page: JobsPage = await ask("jobs", { first: 100, after });
      for (const { node } of page.edges) note(node);
      after = page.pageInfo.endCursor;
      isMore = page.pageInfo.hasNextPage;
    }
  }

  /** Over the same socket, and again where the database was away. */
  async function ask<Answer>(document: string, variables: Fields): Promise<Answer> {
    for (;;) {
      const asked: Stream<Answer> = streams.open(document, variables);
      await asked.ends();
      const [answer] = asked.seen;
      if (answer !== undefined) return answer;
      expect(isAway(asked)).toBe(true);
    }
  }

  const openEvents = (jobId: string) => streams.open<EventView>("job-events", { jobId, after: 0 });
  const openPictures = (id: string) => streams.open<JobView>("job-updated", { id });

  /** Takes in what has come, and begins again where it was told to. */
  async function look(): Promise<void> {
    for (const job of current.seen) note(job);
    for (const [jobId, { events, pictures }] of followed) {
      followed.set(jobId, {
        events: isAway(events) ? openEvents(jobId) : events,
        pictures: isAway(pictures) ? openPictures(jobId) : pictures,
      });
    }
    if (!current.ended) return;
    expect(current.errors.map((error) => error.code)).toEqual(["RESYNC"]);
    resyncs += 1;
    await begin();
  }

  const isTrue = ({ id, events, state }: Truth): boolean => {
    const listed = list.get(id);
    const follows = followed.get(id);
    const last = follows?.pictures.seen.at(-1);
    const shown = (view: JobView | undefined) => view?.lastEventNumber === events && view.state === state;
    return shown(listed) && (follows === undefined || (follows.events.seen.length >= events && shown(last)));
  };

  await begin();
  return {
    follow(jobId) {
      const follows = { events: openEvents(jobId), pictures: openPictures(jobId) };
      followed.set(jobId, follows);
      return follows.events;
    },
    get resyncs() {
      return resyncs;
    },
    async endsWithTruth() {
      let truth: Truth[] = [];
      let missing: Truth[] = [];
      const describe = () =>
        missing.map(({ id, events, state }) => {
          const [listed, follows] = [list.get(id), followed.get(id)];
          const shown = (view: JobView | undefined) => `${view?.state} after ${view?.lastEventNumber}`;
          const shows = follows && `${follows.events.seen.length} events, ${shown(follows.pictures.seen.at(-1))}`;
          const errors = [...(follows?.events.errors ?? []), ...(follows?.pictures.errors ?? [])];
          return `${id} is ${state} after ${events}; listed ${shown(listed)}; ${shows} ${JSON.stringify(errors)}`;
        });
      await waitUntil(
        "everything is as in the database",
        async () => {
          await look();
          truth = await readTruth(server);
          missing = truth.filter((one) => !isTrue(one));
          return missing.length === 0;
        },
        truthMs,
      ).catch((error: unknown) => {
        throw new Error(
          `${describe().length} of ${truth.length} jobs are not shown as they are:\n${describe().join("\n")}`,
          {
            cause: error,
          },
        );
      });
      for (const { id, events } of truth) {
        const follows = followed.get(id);
        if (follows === undefined) continue;
        const numbers = follows.events.seen.map((event) => event.number);
        expect(numbers).toEqual(Array.from({ length: events }, (_, index) => index + 1));
        expect([...follows.events.errors, ...follows.pictures.errors]).toEqual([]);
        const counts = follows.pictures.seen.map((job) => job.lastEventNumber);
        expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      }
    },
    lists: (what, fits) =>
      waitUntil(`the list shows ${what}`, async () => {
        await look();
        return [...list.values()].find(fits);
      }),
    async resyncsMoreThan(count) {
      await waitUntil("the list was said to have a gap", async () => {
        await look();
        return resyncs > count;
      });
    },
    async leave() {
      streams.close();
      const { counts } = server.running;
      await waitUntil("nothing of the client is left", () => counts.subscriptions.total + counts.sockets.total === 0);
    },
  };
}
