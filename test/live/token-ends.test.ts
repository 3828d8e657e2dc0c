/** A token that ends while its streams are busy: every kind of stream ends with it and says so, and a fresh token resumes without gap or repeat. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptView, EventView, JobView } from "../support/api-answers.ts";
import { apiConfig } from "../support/api-config.ts";
import { claimedJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, overSse } from "../support/api-streams.ts";
import { jwtSecret, secondsFromNow, signed } from "../support/jwt-kit.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  const auth = { ...apiConfig.auth, jwt: { secret: jwtSecret, clockToleranceSeconds: 0 } };
  server = await startApiServer({ config: { ...apiConfig, auth } });
});
afterAll(() => server.stop());

/** Ends in the third second from now. */
const shortToken = () => signed({ exp: secondsFromNow(3) });
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const noneIsLeft = () =>
  waitUntil("nobody follows", () => {
    const { subscriptions, sockets } = server.running.counts;
    return server.running.followerCount() + subscriptions.total + sockets.total === 0;
  });

describe.each([
  // The whole socket is closed with its token, so that its client comes back; a request of its own is told.
  ["graphql-ws", overSocket, { code: "" }],
  [
    "Server-Sent Events",
    overSse,
    { code: "UNAUTHENTICATED", message: expect.stringMatching(/^Token expired/) as string },
  ],
] as const)("over %s", (_name, connect, ending) => {
  it("streams of every kind end with it, leave nothing behind, and begin anew with a fresh one", async () => {
    const { job, held } = await claimedJob(server);
    await server.operator.cancelAttempt(held.attempt.id);
    const client = connect(server.url, { token: await shortToken() });
    const events = client.open<EventView>("job-events", { jobId: job.id });
    const streams = [
      events,
      client.open<JobView>("job-updated", { id: job.id }),
      client.open<AttemptView>("attempt-updated", { jobId: job.id }),
      client.open<JobView>("jobs-updated", { filter: { states: ["FAILED"] } }),
    ];
    await events.sees(5);
    // Each distinct late result is one event: they come until the token has ended, and once more.
    let pages = 0;
    while (!events.ended) {
      pages += 1;
      await held.complete({ pages });
    }
    pages += 1;
    await held.complete({ pages });
    for (const stream of streams) {
      await stream.ends();
      expect(stream.errors).toMatchObject([ending]);
      expect(stream.seen.length).toBeGreaterThan(0);
    }
    client.close();
    await noneIsLeft();

    const fresh = connect(server.url, { token: await signed() });
    const had = events.seen.map(({ number }) => number);
    const rest = fresh.open<EventView>("job-events", { jobId: job.id, after: had.at(-1) });
    await rest.sees(5 + pages - had.length);
    expect([...had, ...rest.seen.map(({ number }) => number)]).toEqual(upTo(5 + pages));
    fresh.close();
    await noneIsLeft();
  });
});
