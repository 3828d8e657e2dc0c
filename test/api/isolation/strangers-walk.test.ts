/**
 * What one owner wrote, no other owner can see, count or infer (I11): the whole schema, walked by introspection as those to
 * whom nothing of it belongs. How long an answer takes is not judged; what is asked of the database for it is, in
 * statements.test.ts.
 */
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { captureLog } from "../../support/capture-log.ts";
import { noteWalked, partsOfSchema } from "../../support/isolation-coverage.ts";
import { documentsOf, type WalkDocument } from "../../support/isolation-documents.ts";
import { neutralPair, type Pair } from "../../support/isolation-names.ts";
import { secretsIn, secretTraceId } from "../../support/isolation-secrets.ts";
import { leaksOf, textsIn, type Walker, walk } from "../../support/isolation-walk.ts";
import { type IsolationWorld, introspect, rowsOfAnn, startIsolationWorld } from "../../support/isolation-world.ts";

// A walk is hundreds of calls: on a busy machine they take their time, and no verdict hangs on it.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** What a walk cannot ask for, with the reason. Nothing else may be left out. */
const unwalked: Readonly<Record<string, string>> = {};
/** Secrets that the walks of those who may see everything do not meet, with the reason. */
const unseen: readonly [pattern: RegExp, reason: string][] = [
  [/^claim-/, "claim keys are told to nobody"],
  [new RegExp(secretTraceId), "a job's trace context is told to its workers alone"],
];

const isShown = new Set(["queued", "running", "unknown", "failed", "succeeded", "taken-over"]);

const captured = captureLog("debug");
const walked = new Set<string>();
let world: IsolationWorld;
let schema: GraphQLSchema;
let queries: readonly WalkDocument[];
let mutations: readonly WalkDocument[];
let before: readonly string[];

const nothing = neutralPair();
/** Every answer of bob's to what names nothing of anybody's. */
async function neutralAnswers(): Promise<readonly string[]> {
  const answers: string[] = [];
  for await (const step of walk(world.url, "bob", queries, [nothing], ["required", "one"]))
    answers.push(`${step.title}\n${step.answer}`);
  return answers;
}

beforeAll(async () => {
  world = await startIsolationWorld(captured.log);
  schema = await introspect(world);
  const all = documentsOf(schema);
  queries = all.filter(({ operation }) => operation === OperationTypeNode.QUERY);
  mutations = all.filter(({ operation }) => operation === OperationTypeNode.MUTATION);
  before = await neutralAnswers();
  await world.letAnnWrite();
});
afterAll(async () => {
  vi.resetConfig();
  await world.stop();
});

/** From shortly before the first character that differs. */
function difference(foreign: string, invented: string): string {
  const at = [...foreign].findIndex((character, index) => character !== invented[index]);
  const shown = (text: string) => text.slice(Math.max(0, at - 60), at + 200);
  return `is answered with\n  ${shown(foreign)}\nand about nothing with\n  ${shown(invented)}`;
}

async function faultsOfWalk(
  caller: Walker,
  documents: readonly WalkDocument[],
  pairs: readonly Pair[] = world.pairs,
  given?: Parameters<typeof walk>[4],
) {
  const faults: string[] = [];
  const ownKeys: string[] = [];
  for await (const step of walk(world.url, caller, documents, pairs, given)) {
    noteWalked(walked, schema, step.document.text, step.variables);
    ownKeys.push(...textsIn(step.variables).filter((text) => text.includes("-key-")));
    const leaks = leaksOf(step, world.annsIds, ownKeys);
    if (leaks.length > 0) faults.push(`${step.title} tells ${leaks.join(", ")}`);
    const [foreign = "", invented = ""] = step.twins ?? [];
    if (foreign !== invented) faults.push(`${step.title} ${difference(foreign, invented)}`);
  }
  return faults;
}

describe("another owner", () => {
  it("is answered the same after ann has written as before: nothing of hers is counted, nothing has moved", async () => {
    expect(await neutralAnswers()).toEqual(before);
    expect(before.length).toBeGreaterThan(20);
  });

  it("learns nothing from any query: what is ann's and what never was have one answer, byte for byte", async () => {
    expect(await faultsOfWalk("bob", queries)).toEqual([]);
  });

  it("learns nothing from any mutation, and changes nothing of hers", async () => {
    const rows = await rowsOfAnn(world);
    expect(await faultsOfWalk("bob", mutations)).toEqual([]);
    expect(await rowsOfAnn(world)).toEqual(rows);
  });
});

describe("a caller whom nothing belongs to", () => {
  it.each([
    ["a worker that has claimed nothing", "otherWorker"],
    ["a worker of another provider", "inkjetWorker"],
    ["nobody", null],
  ] as const)("%s learns nothing from any query or mutation, and changes nothing", async (_who, caller) => {
    const rows = await rowsOfAnn(world);
    // Who may ask for nothing is told so whatever the job: some of them are enough.
    const some = world.pairs.filter(({ name }) => isShown.has(name));
    expect(await faultsOfWalk(caller, [...queries, ...mutations], some, ["required", "all"])).toEqual([]);
    expect(await rowsOfAnn(world)).toEqual(rows);
  });
});

describe("the walk itself", () => {
  it("has asked for every field, argument and input field of the schema", () => {
    const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
    const isElsewhere = (part: string) => subscriptions.some((name) => part.startsWith(`Subscription.${name}`));
    const missing = partsOfSchema(schema).filter((part) => !walked.has(part) && !isElsewhere(part));
    expect(missing, "what no document of the walk asks for").toEqual(Object.keys(unwalked));
  });

  it("finds every secret where it may be seen: as ann and as an operator", async () => {
    const found = new Set<string>();
    const places = [
      ["ann", "job"],
      ["operator", "auditLog"],
    ] as const;
    for (const [caller, field] of places)
      for await (const step of walk(
        world.url,
        caller,
        queries.filter((one) => one.field === field),
        world.pairs,
        ["required"],
      ))
        for (const one of secretsIn(step.answer)) found.add(one);
    const written = world.annsSecrets;
    const missed = written.filter((name) => !found.has(name) && !unseen.some(([pattern]) => pattern.test(name)));
    expect(missed).toEqual([]);
    expect(written.length).toBeGreaterThan(40);
  });

  it("has left no secret in the server's log, of which every level is written", () => {
    expect(secretsIn(captured.text(), world.leaseTokens)).toEqual([]);
  });
});
