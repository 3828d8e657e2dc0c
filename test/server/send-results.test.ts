/** A stream's results as frames of graphql-transport-ws, without a socket: what is written, what is freed. */
import type { ExecutionResult, FormattedExecutionResult } from "graphql";
import { GraphQLError } from "graphql";
import { MessageType, stringifyMessage } from "graphql-ws";
import { expect, it } from "vitest";
import { LiveIterator } from "../../src/runtime/live-iterator.ts";
import { sendResults } from "../../src/server/socket/send-results.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Ends after its last result where `isOver`. */
function liveStream(stock: ExecutionResult[], isOver = false) {
  const state = { released: 0 };
  const stream = new LiveIterator<ExecutionResult>({
    take: () => stock.shift() ?? null,
    isOver: () => isOver && stock.length === 0,
    release: () => void (state.released += 1),
  });
  return { stream, state };
}

const show = (result: object) => result;

it.each(["1", 'a "quoted" one', "\u2028\\ é \ud800"])(
  "frames are what graphql-ws would send, under the id %j",
  async (id) => {
    const results = [
      { data: { n: 1 } },
      { errors: [new GraphQLError("No.", { extensions: { code: "X" } })], data: null },
    ];
    const sent: string[] = [];
    const { stream } = liveStream([...results], true);
    const sending = sendResults(stream, { id, show, send: (message) => void sent.push(message) });
    expect(await sending.next()).toEqual({ done: true, value: undefined });
    expect(sent).toEqual(
      results.map((payload) =>
        stringifyMessage({ id, type: MessageType.Next, payload: payload as FormattedExecutionResult }),
      ),
    );
  },
);

it("what has a text is sent as that text, and what has none as it is to be shown", async () => {
  const sent: string[] = [];
  const shared = Object.defineProperty({ data: { n: 1 } }, "stringify", { value: () => '{"data":"made before"}' });
  const { stream } = liveStream([shared, { data: { n: 2 } }], true);
  await sendResults(stream, {
    id: "1",
    show: () => ({ data: "shown" }),
    send: (message) => void sent.push(message),
  }).next();
  expect(sent.map((message) => (JSON.parse(message) as { payload: unknown }).payload)).toEqual([
    { data: "made before" },
    { data: "shown" },
  ]);
});

it("the next result is asked for when the one before has left", async () => {
  const stock: ExecutionResult[] = [{ data: { n: 1 } }, { data: { n: 2 } }];
  const { stream } = liveStream(stock, true);
  const leaving: (() => void)[] = [];
  const send = () => new Promise<void>((resolve) => leaving.push(resolve));
  const over = sendResults(stream, { id: "1", show, send }).next();
  await waitUntil("the first is being sent", () => leaving.length === 1);
  expect(stock).toHaveLength(1);
  leaving[0]?.();
  await waitUntil("the second is being sent", () => leaving.length === 2);
  leaving[1]?.();
  expect(await over).toEqual({ done: true, value: undefined });
});

it("a stream that is left while it waits is over and freed at once", async () => {
  const { stream, state } = liveStream([]);
  const sending = sendResults(stream, { id: "1", show, send: () => {} });
  const waiting = sending.next();
  await sending.return(undefined);
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(state.released).toBe(1);
});

it("a socket that cannot be written to frees the stream, and says so", async () => {
  const { stream, state } = liveStream([{ data: { n: 1 } }]);
  const sending = sendResults(stream, { id: "1", show, send: () => Promise.reject(new Error("The cable is cut.")) });
  await expect(sending.next()).rejects.toThrow("The cable is cut.");
  expect(state.released).toBe(1);
});
