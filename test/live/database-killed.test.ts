/** A server is killed with its statement at the database: what that commits reaches the clients of another server by NOTIFY alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import { connectApi } from "../support/api-client.ts";
import { startApiProcess } from "../support/api-process.ts";
import { newJob } from "../support/api-reach.ts";
import type { ApiServer } from "../support/api-server.ts";
import { holdJob } from "../support/hold-job.ts";
import { openAudience } from "./database-audience.ts";
import { type Fleet, openFleet, patienceMs } from "./database-servers.ts";

let fleet: Fleet;
let server: ApiServer;
beforeAll(async () => {
  fleet = await openFleet();
  server = await fleet.start();
});
afterAll(() => fleet.stop());

test(
  "nothing but the commit itself has to be left of a server, and clients of another see it at once",
  async () => {
    const dying = await startApiProcess(fleet.url);
    const audience = await openAudience(server);
    const job = await newJob(server);
    const events = audience.follow(job.id);
    await audience.endsWithTruth();
    const held = await holdJob(fleet.sql, decodeId("job", job.id) ?? "");
    const { answer } = await held.line(() => connectApi(dying.url, "ann").cancelJob(job.id));
    // It dies before the statement has gone on, let alone been answered: nobody in it can tell anything to anybody.
    await dying.kill();
    await expect(answer).rejects.toThrow("fetch failed");
    expect(events.seen).toHaveLength(2);
    await held.release();
    await audience.lists("the cancelled job", ({ id, state }) => id === job.id && state === "CANCELLED");
    expect(audience.resyncs).toBe(0);
    await audience.endsWithTruth();
    await audience.leave();
  },
  patienceMs,
);
