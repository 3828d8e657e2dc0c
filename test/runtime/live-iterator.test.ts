/** The iterator under every follower: what it hands out, and that nothing of it stays behind. */
import { expect, test } from "vitest";
import { LiveIterator } from "../../src/runtime/live-iterator.ts";

interface Item {
  readonly number: number;
}

function stocked() {
  const items: Item[] = [];
  const state = { isOver: false, released: 0 };
  const iterator = new LiveIterator<Item>({
    take: () => items.shift() ?? null,
    isOver: () => state.isOver && items.length === 0,
    release: () => {
      state.released += 1;
    },
  });
  const add = (number: number) => {
    items.push({ number });
    iterator.wake();
  };
  return { iterator, state, add };
}

test("return() settles a waiting next() at once and frees what it held", async () => {
  const { iterator, state } = stocked();
  const waiting = [iterator.next(), iterator.next()];
  await iterator.return();
  expect(await Promise.all(waiting)).toEqual([
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
  expect(state.released).toBe(1);
});

test("it is freed once, however often it is ended", async () => {
  const { iterator, state } = stocked();
  await iterator.return();
  iterator.end();
  await expect(iterator.throw(new Error("again"))).rejects.toThrow("again");
  expect(state.released).toBe(1);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test("several waiting next() get the values in order", async () => {
  const { iterator, add } = stocked();
  const waiting = [iterator.next(), iterator.next(), iterator.next()];
  for (const number of [1, 2, 3]) add(number);
  const results = await Promise.all(waiting);
  expect(results.map((result) => result.value?.number)).toEqual([1, 2, 3]);
});

test("the last value is delivered, then it is over", async () => {
  const { iterator, state, add } = stocked();
  add(1);
  state.isOver = true;
  expect(await iterator.next()).toEqual({ value: { number: 1 }, done: false });
  expect(state.released).toBe(1);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test("leaving a for-await loop frees it", async () => {
  const { iterator, state, add } = stocked();
  add(1);
  for await (const item of iterator) {
    expect(item.number).toBe(1);
    break;
  }
  expect(state.released).toBe(1);
});
