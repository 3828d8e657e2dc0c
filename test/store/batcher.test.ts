/** The batcher: who shares a batch, who waits, and that every caller gets its own answer or error. No database. */
import { expect, test } from "vitest";
import { Batcher, type BatcherOptions, type Settled } from "../../src/store/batcher.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Ask {
  readonly key: string | null;
  readonly text: string;
}

interface Batch {
  readonly texts: string[];
  answerAll(): void;
  settle(index: number, outcome: Settled<string>): void;
  /** Ends the batch's turn, settled or not. */
  end(): void;
  fail(error: unknown): void;
}

/** A batcher whose batches stay under way until the test ends them. */
function build(options: Partial<BatcherOptions<Ask, string>> = {}) {
  const batches: Batch[] = [];
  const batcher = new Batcher<Ask, string>({
    maxSize: 10,
    maxInFlight: 1,
    keyOf: (command) => command.key,
    run: (commands, settle) =>
      new Promise((end, fail) => {
        const texts = commands.map((command) => command.text);
        const answerAll = () => {
          for (const [index, text] of texts.entries()) settle(index, { answer: text });
          end();
        };
        batches.push({ texts, answerAll, settle, end, fail });
      }),
    ...options,
  });
  const ask = (text: string, key: string | null = null) => batcher.ask({ text, key });
  const batch = (count: number) => waitUntil(`batch ${count} is under way`, () => batches[count - 1]);
  return { ask, batch, batches };
}

/** Everything that was going to happen at once has happened. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
}

test("an idle batcher sends a single command at once, alone", async () => {
  const { ask, batch } = build();
  const answer = ask("a");
  const first = await batch(1);
  expect(first.texts).toEqual(["a"]);
  first.answerAll();
  expect(await answer).toBe("a");
});

test("what is asked in one turn of the event loop shares a batch, in order", async () => {
  const { ask, batch } = build();
  const answers = Promise.all(["a", "b", "c"].map((text) => ask(text)));
  const first = await batch(1);
  expect(first.texts).toEqual(["a", "b", "c"]);
  first.answerAll();
  expect(await answers).toEqual(["a", "b", "c"]);
});

test("what is asked while a batch is under way goes together as the next", async () => {
  const { ask, batch, batches } = build();
  void ask("a");
  const first = await batch(1);
  void ask("b");
  await turns();
  void ask("c");
  await turns();
  expect(batches).toHaveLength(1);
  first.answerAll();
  expect((await batch(2)).texts).toEqual(["b", "c"]);
});

test("no more batches are under way than allowed, and none is larger than allowed", async () => {
  const { ask, batch, batches } = build({ maxInFlight: 2, maxSize: 3 });
  for (const text of "abcdefgh") void ask(text);
  await turns();
  expect(batches.map((one) => one.texts)).toEqual([
    ["a", "b", "c"],
    ["d", "e", "f"],
  ]);
  (await batch(2)).answerAll();
  expect((await batch(3)).texts).toEqual(["g", "h"]);
});

test("commands with one key never share a batch, and keep their order", async () => {
  const { ask, batch, batches } = build();
  void ask("a1", "a");
  void ask("a2", "a");
  void ask("b1", "b");
  void ask("a3", "a");
  (await batch(1)).answerAll();
  (await batch(2)).answerAll();
  (await batch(3)).answerAll();
  await turns();
  expect(batches.map((one) => one.texts)).toEqual([["a1", "b1"], ["a2"], ["a3"]]);
});

test("commands with one key are never under way at the same time, also where two batches may be", async () => {
  const { ask, batch, batches } = build({ maxInFlight: 2 });
  void ask("a1", "a");
  const first = await batch(1);
  void ask("a2", "a");
  void ask("b1", "b");
  expect((await batch(2)).texts).toEqual(["b1"]);
  await turns();
  expect(batches).toHaveLength(2);
  first.answerAll();
  expect((await batch(3)).texts).toEqual(["a2"]);
});

test("commands without a key never wait for each other", async () => {
  const { ask, batch } = build();
  void ask("a");
  void ask("a");
  expect((await batch(1)).texts).toEqual(["a", "a"]);
});

test("a command that is settled after its batch has ended holds back its own key alone", async () => {
  const { ask, batch } = build();
  const stubborn = ask("a1", "a");
  const first = await batch(1);
  first.end();
  void ask("a2", "a");
  void ask("b1", "b");
  const second = await batch(2);
  expect(second.texts).toEqual(["b1"]);
  second.answerAll();
  first.settle(0, { answer: "late" });
  expect(await stubborn).toBe("late");
  expect((await batch(3)).texts).toEqual(["a2"]);
});

test("an error reaches the caller whose command it is, and nobody else", async () => {
  const { ask, batch } = build();
  const answers = Promise.allSettled(["a", "b", "c"].map((text) => ask(text)));
  const first = await batch(1);
  first.settle(0, { answer: "a" });
  first.settle(1, { error: new Error("Only b.") });
  first.settle(2, { answer: "c" });
  first.end();
  expect(await answers).toEqual([
    { status: "fulfilled", value: "a" },
    { status: "rejected", reason: new Error("Only b.") },
    { status: "fulfilled", value: "c" },
  ]);
});

test("a batch that breaks off gives its error to those not yet answered, and the batcher goes on", async () => {
  const { ask, batch } = build();
  const answers = Promise.allSettled([ask("a", "k"), ask("b")]);
  const first = await batch(1);
  first.settle(0, { answer: "a" });
  first.fail(new Error("The connection is gone."));
  expect((await answers).map((one) => one.status)).toEqual(["fulfilled", "rejected"]);
  const next = ask("c", "k");
  (await batch(2)).answerAll();
  expect(await next).toBe("c");
});
