/** What of deliveries is shared, and between whom, on a schema of the test's own that counts its resolvers. Transports and the feed are test/api/shared-results.test.ts's matter. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type ExecutionResult, execute, GraphQLError, parse } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";
import { expect, it } from "vitest";
import type { RequestContext, Viewer } from "../../src/graphql/context.ts";
import { guardRootFields } from "../../src/graphql/guard-root-fields.ts";
import { type SharedResult, useSharedResults } from "../../src/server/share-results.ts";
import { waitUntil } from "../support/wait-until.ts";

type Resolve = (delivery: object, context: RequestContext) => unknown;

const ann: Viewer = { ownerId: "ann", roles: new Set(["OWNER"]), providers: null, expiresAt: null, onlyJob: null };
const document = parse(`
  subscription One($id: ID, $n: Int) { followed(id: $id) { shown(n: $n) } }
  subscription Other($id: ID, $n: Int) { followed(id: $id) { shown(n: $n) } }
`);

/** An endpoint on which everybody follows the same deliveries, and `shown` answers what `resolve` does. */
function openSharing(deliveries: readonly object[], resolve: Resolve) {
  async function* follow() {
    yield* deliveries;
  }
  const schema = createSchema<RequestContext>({
    typeDefs: `type Query { none: Int } type Followed { shown(n: Int): String } type Subscription { followed(id: ID): Followed }`,
    resolvers: {
      Subscription: { followed: { subscribe: follow, resolve: (delivery: object) => delivery } },
      Followed: { shown: (delivery: object, _given: object, context: RequestContext) => resolve(delivery, context) },
    },
  });
  const { subscribe } = createYoga({ schema, plugins: [useSharedResults()] }).getEnveloped({});
  return async (viewer: Partial<Viewer> = {}, variableValues: object = {}, more: object = {}) => {
    const contextValue = { viewer: { ...ann, ...viewer }, traceparent: "of the call", signal: "of the call" };
    const args = { schema, document, operationName: "One", variableValues, contextValue, ...more };
    const stream = (await subscribe(args)) as AsyncIterableIterator<SharedResult>;
    return async () => (await stream.next()).value as SharedResult;
  };
}

/** Resolves for each call with its number. */
function counting() {
  let calls = 0;
  return { resolve: () => String((calls += 1)), calls: () => calls };
}

const shownIn = ({ data }: ExecutionResult) => (data as { followed: { shown: string | null } }).followed.shown;

it("of two followers in the same place the second gets the first one's result, wherever they began and whenever their tokens end", async () => {
  const { resolve, calls } = counting();
  const follow = openSharing([{}, {}], resolve);
  const [first, second] = [await follow({}, { id: "1" }), await follow({ expiresAt: new Date(0) }, { id: "2" })];
  const result = await first();
  expect(await second()).toBe(result);
  expect(result.stringify?.()).toBe('{"data":{"followed":{"shown":"1"}}}');
  expect(shownIn(await first())).toBe("2");
  expect(calls()).toBe(2);
});

const only = { jobId: "j", mayRetry: true, mayCancel: true };
it.each<[string, Partial<Viewer>, object, object]>([
  ["owner", { ownerId: "bob" }, {}, {}],
  ["role", { roles: new Set(["OWNER", "WORKER"]) }, {}, {}],
  ["worker's providers", { providers: ["inkjet"] }, {}, {}],
  ["token for the job", { onlyJob: only }, {}, {}],
  ["value of a variable in what is selected", {}, { n: 1 }, {}],
  ["absent value of one", {}, { n: null }, {}],
  ["operation of the document", {}, {}, { operationName: "Other" }],
  ["document", {}, {}, { document: parse("subscription One { followed { shown } }") }],
])("a follower with another %s gets a result of their own", async (_what, viewer, variables, more) => {
  const { resolve, calls } = counting();
  const follow = openSharing([{}], resolve);
  const [one, other] = [await follow(), await follow(viewer, variables, more)];
  expect([shownIn(await one()), shownIn(await other())]).toEqual(["1", "2"]);
  expect(calls()).toBe(2);
});

it("tokens for one job that allow different things, or name different jobs, share nothing", async () => {
  const { resolve, calls } = counting();
  const follow = openSharing([{}], resolve);
  for (const more of [{}, { mayRetry: false }, { mayCancel: false }, { jobId: "k" }])
    await (await follow({ onlyJob: { ...only, ...more } }))();
  await (await follow({ onlyJob: { ...only } }))();
  expect(calls()).toBe(4);
});

it("what shows a delivery is not told what the subscription was given, on which no result may hang", async () => {
  const given: object[] = [];
  const show = (_delivery: object, shown: object) => given.push(shown);
  const typeDefs = "type Query { none: Int } type Subscription { followed(id: ID): Int }";
  const none = () => null;
  const subscribed = { subscribe: none, resolve: show };
  const schema = guardRootFields(
    createSchema({ typeDefs, resolvers: { Query: { none }, Subscription: { followed: subscribed } } }),
  );
  await execute({ schema, document: parse('subscription { followed(id: "1") }'), contextValue: { viewer: ann } });
  expect(given).toEqual([{}]);
});

it("resolvers are shown nothing of the one call that they are called for", async () => {
  const seen: unknown[] = [];
  const follow = openSharing([{}], (_delivery, { viewer, traceparent, signal, idempotencyKeyHeaders }) => {
    seen.push({ viewer, traceparent, signal, idempotencyKeyHeaders });
  });
  await (await follow({ expiresAt: new Date(0) }))();
  expect(seen).toEqual([{ viewer: ann, traceparent: null, signal: null, idempotencyKeyHeaders: [] }]);
});

it("a failure is told to all who wait for it, and is no result for those who come later", async () => {
  let calls = 0;
  let fail = (_error: Error): void => {};
  const follow = openSharing([{}], () => {
    calls += 1;
    return calls > 1 ? "at last" : new Promise((_resolve, reject) => (fail = reject));
  });
  const [first, second, late] = [await follow(), await follow(), await follow()];
  const waiting = Promise.all([first(), second()]);
  await waitUntil("it is being carried out", () => calls === 1);
  fail(new GraphQLError("Out of paper."));
  const results = await waiting;
  expect(results.map(({ errors }) => errors?.map(({ message }) => message))).toEqual([
    ["Out of paper."],
    ["Out of paper."],
  ]);
  expect(results.map(shownIn)).toEqual([null, null]);
  expect(results.map(({ stringify }) => stringify)).toEqual([undefined, undefined]);
  expect(shownIn(await late())).toBe("at last");
});

it("a copy of a result that says something else has not its text", async () => {
  const result = await (await openSharing([{}], () => "x")())();
  const copy: SharedResult = { ...result, data: null };
  expect(copy.stringify).toBeUndefined();
});

it("nothing of a delivery or its result stays once the feed has dropped it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const deliveries = [{}, {}];
  const follow = openSharing(deliveries, () => "x");
  const next = await follow();
  const weak = [new WeakRef(deliveries[0] as object), new WeakRef(await next())];
  await next();
  deliveries.splice(0);
  const left = () => weak.filter((one) => one.deref() !== undefined).length;
  await waitUntil("both are gone", () => {
    collect();
    return left() === 0;
  });
  expect(left()).toBe(0);
});
