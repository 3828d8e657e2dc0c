/** Notifications by the hundred thousand, true, made up and malformed: they are heard or ignored, and nobody is kept from the truth. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeId, encodeId } from "../../src/store/ids.ts";
import { newJob } from "../support/api-reach.ts";
import type { ApiServer } from "../support/api-server.ts";
import type { CapturedLog } from "../support/capture-log.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openAudience } from "./database-audience.ts";
import { type Fleet, openFleet, patienceMs } from "./database-servers.ts";

let fleet: Fleet;
let server: ApiServer & { readonly said: CapturedLog };
let other: ApiServer & { readonly said: CapturedLog };
beforeAll(async () => {
  fleet = await openFleet();
  server = await fleet.start();
  other = await fleet.start();
});
afterAll(() => fleet.stop());

/** In one commit; PostgreSQL keeps of equal ones the first alone, so each is to tell its number. */
function flood(count: number, payload: string, channel = "onejob_changed"): Promise<unknown> {
  return fleet.sql.unsafe(`select count(pg_notify('${channel}', ${payload})) from generate_series(1, ${count}) n`);
}

/** What the other server commits from now on is shown, and so is whatever was notified before it. */
async function expectTruthAfter(work: (jobId: string) => Promise<unknown>): Promise<number> {
  const audience = await openAudience(server);
  const job = await newJob(other);
  audience.follow(job.id);
  await audience.endsWithTruth();
  await work(decodeId("job", job.id) ?? "");
  await other.ann.cancelJob(job.id);
  await audience.endsWithTruth();
  const { resyncs } = audience;
  await audience.leave();
  return resyncs;
}

test(
  "what Onejob never wrote is ignored, said once, and no statement is made of it",
  async () => {
    const resyncs = await expectTruthAfter(async () => {
      await flood(2_000, "'no colon ' || n");
      await flood(2_000, "'stranger:no-uuid,' || n");
      await flood(2_000, "'stranger:' || gen_random_uuid() || ',' || n");
      await flood(2_000, "':' || gen_random_uuid()");
      await flood(2_000, "repeat('x', 7990) || n");
      await flood(2_000, "'stranger:' || U&'\\202E\\FFFD\\+01F4A9\\0301''\"{}\\\\' || n");
      await flood(2_000, "'{' || n || '}:' || gen_random_uuid() || E'\\n'", "onejob_queued");
      await flood(1, "''");
    });
    expect(resyncs).toBe(0);
    const said = server.said.text().trim().split("\n");
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("Notifications that Onejob never sent");
  },
  patienceMs,
);

test.each([
  ["the job that everybody follows", (jobId: string) => `'stranger' || n || ':${jobId}'`],
  ["no job", () => "'stranger' || n || ':'"],
  ["a job that never was", () => "'stranger:' || gen_random_uuid()"],
])(
  "a hundred thousand notifications of %s keep nobody from the truth, nor calls from being answered",
  async (_of, payload) => {
    let answered = 0;
    await expectTruthAfter(async (jobId) => {
      const before = answered;
      const flooded = flood(100_000, payload(jobId), "onejob_queued");
      const calls = (async () => {
        while (answered < before + 20) {
          await server.ann.job(encodeId("job", jobId));
          answered += 1;
        }
      })();
      await Promise.all([flooded, calls]);
    });
    expect(server.said.text()).not.toContain("feed-read-failed");
  },
  patienceMs,
);

test(
  "two hundred thousand made-up ids keep neither streams of single jobs nor lists from the truth",
  async () => {
    const ids = "(select string_agg(gen_random_uuid()::text, ',') from generate_series(1, 200) where n > 0)";
    await expectTruthAfter(() => flood(1_000, `'stranger:' || ${ids}`));
    expect(server.said.text()).not.toContain("feed-read-failed");
  },
  patienceMs,
);

test(
  "a job that cannot be read keeps no other from its followers, and is shown once it can be",
  async () => {
    const audience = await openAudience(server);
    const [bad, good] = [await newJob(other), await newJob(other)];
    for (const { id } of [bad, good]) audience.follow(id);
    await audience.endsWithTruth();
    await fleet.sql.unsafe(`
    create function readable(job_id uuid) returns boolean language plpgsql as $$
    begin
      -- The feed's statement alone: those that write look at the log as well.
      if job_id = '${decodeId("job", bad.id)}' and current_query() like '%select e.* from unnest%' then raise exception 'damaged page'; end if;
      return true;
    end $$;
    alter table job_events rename to job_events_whole;
    create view job_events as select * from job_events_whole where readable(job_id)`);
    const before = server.said.text().length;
    // Both in one batch, so that they are read together.
    await Promise.all([bad, good].map(({ id }) => other.ann.cancelJob(id)));
    await audience.lists("the good one", ({ id, state }) => id === good.id && state === "CANCELLED");
    await waitUntil("the bad one was tried", () => server.said.text().slice(before).includes("feed-read-failed"));
    const more = await newJob(other);
    const events = audience.follow(more.id);
    await events.sees(2);
    expect(events.errors).toEqual([]);
    await fleet.sql.unsafe("drop view job_events; alter table job_events_whole rename to job_events");
    await audience.endsWithTruth();
    await audience.leave();
  },
  patienceMs,
);
