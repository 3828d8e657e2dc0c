/** A stream and the end of its token, without a server: what is told, what is freed. Transports are test/api/token-expiry.test.ts's matter. */
import type { ExecutionResult } from "graphql";
import { describe, expect, it } from "vitest";
import { wallClock } from "../../src/runtime/clock.ts";
import { LiveIterator } from "../../src/runtime/live-iterator.ts";
import { endAtExpiry } from "../../src/server/end-at-expiry.ts";
import { identify, viewerOfConnection } from "../../src/server/socket/connection-viewer.ts";
import { waitUntil } from "../support/wait-until.ts";

const inMs = (ms: number) => new Date(wallClock().getTime() + ms);
const expired = {
  errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: "UNAUTHENTICATED" }) })],
};

/** A live stream, and whether it was freed. */
function liveStream(...stock: ExecutionResult[]) {
  const state = { released: 0 };
  const stream = new LiveIterator<ExecutionResult>({
    take: () => stock.shift() ?? null,
    isOver: () => false,
    release: () => void (state.released += 1),
  });
  return { stream, state };
}

describe("a stream whose token ends", () => {
  it("tells whoever waits for its next result, frees what it stands on, and is over", async () => {
    const { stream, state } = liveStream({ data: { n: 1 } });
    const ending = endAtExpiry(stream, inMs(50));
    expect(await ending.next()).toEqual({ value: { data: { n: 1 } }, done: false });
    expect(await ending.next()).toEqual({ value: expired, done: false });
    expect(await ending.next()).toEqual({ value: undefined, done: true });
    expect(state.released).toBe(1);
  });

  it("tells a slow reader when it comes back, and no result that came later", async () => {
    const { stream, state } = liveStream({ data: { n: 1 } });
    const ending = endAtExpiry(stream, inMs(0));
    await waitUntil("the token has ended", () => state.released === 1);
    expect(await ending.next()).toEqual({ value: expired, done: false });
    expect(await ending.next()).toEqual({ value: undefined, done: true });
  });

  it("is left by its reader before that: it is over without a word, and freed once", async () => {
    const { stream, state } = liveStream();
    const ending = endAtExpiry(stream, inMs(60_000));
    const waiting = ending.next();
    await ending.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(await ending.next()).toEqual({ value: undefined, done: true });
    expect(state.released).toBe(1);
  });

  it("passes on that the stream itself has failed", async () => {
    async function* failing(): AsyncGenerator<ExecutionResult> {
      yield { data: { n: 1 } };
      throw new Error("The feed is broken.");
    }
    const ending = endAtExpiry(failing(), inMs(60_000));
    await ending.next();
    await expect(ending.next()).rejects.toThrow("The feed is broken.");
    expect(await ending.next()).toEqual({ value: undefined, done: true });
  });
});

describe("a stream that is over before its token leaves no timer behind", () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  async function* once(): AsyncGenerator<ExecutionResult> {
    yield { data: { n: 1 } };
  }
  it.each<[string, (stream: AsyncIterableIterator<ExecutionResult>) => Promise<unknown>]>([
    ["when its reader leaves", (stream) => stream.return?.() ?? Promise.resolve()],
    ["when it ends by itself", (stream) => stream.next().then(() => stream.next())],
  ])("%s", async (_when, end) => {
    const before = timers();
    const streams = Array.from({ length: 30 }, () => endAtExpiry(once(), inMs(3_600_000)));
    expect(timers()).toBeGreaterThanOrEqual(before + 30);
    await Promise.all(streams.map(end));
    await waitUntil("the timers are gone", () => timers() < before + 10);
  });
});

describe("a connection whose token has ended", () => {
  it("answers nothing any more, whatever its client goes on sending, and closes with 4403", () => {
    const closes: unknown[] = [];
    const close = (...reason: readonly unknown[]) => void closes.push(reason);
    const identity = { viewer: null, gone: new AbortController(), close };
    const viewer = { ownerId: "ann", roles: new Set<never>(), providers: [], expiresAt: inMs(-1), onlyJob: null };
    expect(identify(identity, viewer)).toBe(true);
    expect(() => viewerOfConnection(identity)).toThrow("Token expired");
    expect(closes).toEqual([[4403, "Token expired"]]);
  });
});
