/** The clients of bench:live: they follow jobs and note when each event arrived, by the machine's clock. They judge nothing. */
import { readFileSync } from "node:fs";
import { answerParent } from "./child.ts";
import { followOverSocket } from "./follow-over-socket.ts";
import { followOverSse } from "./follow-over-sse.ts";
import type { Arrivals, Followed, Opening } from "./following.ts";

const follow = { WebSocket: followOverSocket, SSE: followOverSse };
const document = readFileSync(new URL("../../../schema/operations/job-events.graphql", import.meta.url), "utf8");
/** The event's own number is the first of a frame: the attempt's comes behind it. */
const numberKey = '"number":';

let followed: Followed | null = null;
let table: [target: number, number: number, atMs: number][] = [];
let fault: string | null = null;
let awaited: { frames: number; resolve(): void; reject(error: Error): void } | null = null;

function check(): void {
  if (awaited === null) return;
  if (fault !== null) awaited.reject(new Error(fault));
  else if (table.length >= awaited.frames) awaited.resolve();
}

function seen(target: number, frame: string): void {
  const from = frame.indexOf(numberKey);
  const number = from === -1 ? Number.NaN : Number.parseInt(frame.slice(from + numberKey.length, from + 20), 10);
  if (Number.isNaN(number)) return failed(frame);
  table.push([target, number, performance.timeOrigin + performance.now()]);
  check();
}

function failed(why: string): void {
  fault ??= `A follower failed: ${why.slice(0, 500)}`;
  check();
}

/** Without any frame meanwhile. */
const waitMs = 30_000;

/** Until so many frames have come since they were last handed over. */
function frames(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let before = table.length;
    const late = setInterval(() => {
      if (table.length === before) failed(`of ${count} frames ${table.length} came, and no more in ${waitMs} ms`);
      before = table.length;
    }, waitMs);
    const settle = (act: () => void) => () => {
      clearInterval(late);
      awaited = null;
      act();
    };
    awaited = { frames: count, resolve: settle(resolve), reject: (error) => settle(() => reject(error))() };
    check();
  });
}

function take(): Arrivals {
  const taken = table;
  table = [];
  return {
    target: Int32Array.from(taken, ([target]) => target),
    number: Int32Array.from(taken, ([, number]) => number),
    atMs: Float64Array.from(taken, ([, , atMs]) => atMs),
  };
}

const answers = {
  /** Resolves once every target has shown an event, so each must have one after its number. Says how many connections it took. */
  async open({ transport, url, targets }: Opening): Promise<number> {
    const opening = follow[transport]({ url, document, targets, seen, failed });
    await frames(targets.length);
    followed = await opening;
    take();
    return followed.connections;
  },
  frames,
  take: (_: null) => take(),
  async close(_: null): Promise<void> {
    await followed?.close();
    followed = null;
    fault = null;
    take();
  },
};
export type ClientAnswers = typeof answers;

answerParent(answers);
