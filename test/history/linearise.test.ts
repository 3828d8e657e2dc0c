/** The search for an order, on a register that everybody knows: one value, written and read. It must refuse what no order explains. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { linearise, type Register } from "./linearise.ts";
import type { Timed } from "./operation.ts";

interface Access extends Timed {
  readonly write?: number;
  readonly read?: number;
}

const register: Register<number, Access> = {
  initial: 0,
  step: (state, { write, read }) => (write === undefined ? (read === state ? [state] : []) : [write]),
};

const at = (invokedAt: number, answeredAt: number | null, access: Omit<Access, keyof Timed>): Access => ({
  invokedAt,
  answeredAt,
  ...access,
});

const linear: readonly (readonly [string, readonly Access[]])[] = [
  ["nothing", []],
  ["a write and a read after it", [at(0, 1, { write: 1 }), at(2, 3, { read: 1 })]],
  ["a read of the old value beside the write", [at(0, 5, { write: 1 }), at(1, 2, { read: 0 })]],
  ["a read of the new value beside the write", [at(0, 5, { write: 1 }), at(1, 2, { read: 1 })]],
  ["a read that began before the write and saw it", [at(0, 9, { read: 1 }), at(1, 2, { write: 1 })]],
  [
    "two writes at once, seen in the other order",
    [at(0, 9, { write: 1 }), at(1, 8, { write: 2 }), at(10, 11, { read: 1 })],
  ],
  ["an unanswered write that was never seen", [at(0, null, { write: 1 }), at(5, 6, { read: 0 })]],
  [
    "an unanswered write that is seen much later",
    [at(0, null, { write: 1 }), at(5, 6, { read: 0 }), at(7, 8, { read: 1 })],
  ],
  ["calls that touch in one instant, which counts as at once", [at(0, 5, { write: 1 }), at(5, 6, { read: 0 })]],
];

test.each(linear)("allows %s", (_what, calls) => {
  const verdict = linearise(register, calls);
  expect(verdict.isLinear).toBe(true);
  expect(calls.filter((call) => call.answeredAt !== null && !verdict.order.includes(call))).toEqual([]);
});

const notLinear: readonly (readonly [string, readonly Access[]])[] = [
  ["a read of what nobody wrote", [at(0, 1, { read: 7 })]],
  ["a read of the old value after a write was answered", [at(0, 1, { write: 1 }), at(2, 3, { read: 0 })]],
  ["a read of a value before it was written", [at(0, 1, { read: 1 }), at(2, 3, { write: 1 })]],
  ["a value that was seen and is gone again", [at(0, 9, { write: 1 }), at(1, 2, { read: 1 }), at(3, 4, { read: 0 })]],
  [
    "two readers that see two writes in opposite orders",
    [
      at(0, 99, { write: 1 }),
      at(0, 99, { write: 2 }),
      at(1, 2, { read: 1 }),
      at(3, 4, { read: 2 }),
      at(5, 6, { read: 1 }),
    ],
  ],
  ["an unanswered write that is seen before it was asked for", [at(0, 1, { read: 1 }), at(2, null, { write: 1 })]],
  ["an unanswered write that is undone", [at(0, null, { write: 1 }), at(5, 6, { read: 1 }), at(7, 8, { read: 0 })]],
  ["an answer before its call", [at(5, 4, { read: 0 })]],
];

test.each(notLinear)("refuses %s", (_what, calls) => {
  expect(linearise(register, calls).isLinear).toBe(false);
});

test("a refusal shows how far it got and which calls it could not place", () => {
  const [write, read] = [at(0, 1, { write: 1 }), at(2, 3, { read: 0 })];
  expect(linearise(register, [write, read])).toEqual({ isLinear: false, order: [write], stuckAt: [read] });
});

/** All orders, one by one: too slow for more than a few calls, and too simple to be wrong. */
function hasOrder(calls: readonly Access[], state = register.initial): boolean {
  if (calls.every((call) => call.answeredAt === null)) return true;
  return calls.some((call) => {
    const others = calls.filter((other) => other !== call);
    const isTooEarly = others.some((other) => other.answeredAt !== null && other.answeredAt < call.invokedAt);
    return !isTooEarly && register.step(state, call).some((after) => hasOrder(others, after));
  });
}

test("on small histories it agrees with trying all orders", () => {
  const access = fc
    .record({
      invokedAt: fc.nat(6),
      lastsFor: fc.option(fc.nat(4)),
      value: fc.nat(2),
      writes: fc.boolean(),
    })
    .map(({ invokedAt, lastsFor, value, writes }) =>
      at(invokedAt, lastsFor === null ? null : invokedAt + lastsFor, writes ? { write: value } : { read: value }),
    );
  const met = { linear: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(access, { minLength: 2, maxLength: 6 }), (calls) => {
      const { isLinear } = linearise(register, calls);
      met[isLinear ? "linear" : "refused"] += 1;
      expect(isLinear).toBe(hasOrder(calls));
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(met.linear, met.refused)).toBeGreaterThan(100);
});
