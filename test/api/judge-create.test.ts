/** What is asked of createJob is judged in full: every fault at once, each with its place, and the digests beside them. */
import { describe, expect, it } from "vitest";
import { digestIntent } from "../../src/domain/intent.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Catalog, Operation, Provider } from "../../src/domain/operation.ts";
import { type CreateRequest, judgeCreate } from "../../src/graphql/mutations/judge-create.ts";

const provider = (name: string): Provider => ({ name, description: null, revision: "1", concurrency: 1 });

/** Takes any input but an object with a negative amount. */
function operation(name: string, providers: readonly string[]): Operation {
  const isNegative = (value: Json) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Number(value["amount"]) < 0;
  return {
    name,
    version: 3,
    description: null,
    effectClass: "PURE",
    contractDigest: "c",
    inputSchema: {},
    outputSchema: {},
    judgeInput: async (value) => (isNegative(value) ? [{ path: "/amount", message: "must not be negative" }] : []),
    judgeOutput: async () => [],
    providers,
    attemptTimeoutMs: 1_000,
    leaseMs: 1_000,
    cancelAttempt: "owner",
    retry: { maxAttempts: 1, initialDelayMs: 1, maxDelayMs: 1 },
  };
}

const catalog: Catalog = {
  operations: new Map([["print", operation("print", ["inkjet", "laser", "plotter"])]]),
  providers: new Map(["inkjet", "laser", "plotter", "kiln"].map((name) => [name, provider(name)])),
};

const judge = (request: Partial<CreateRequest>, root?: string) =>
  judgeCreate(catalog, { operation: "print", input: {}, priority: 0, ...request }, root);

async function paths(request: Partial<CreateRequest>, root?: string): Promise<string[]> {
  return (await judge(request, root)).issues.map((issue) => issue.path);
}

describe("a request without fault", () => {
  it("is resolved with the operation's defaults and digested twice", async () => {
    const { issues, intent, digests } = await judge({ input: { amount: 1 }, provider: null });
    expect(issues).toEqual([]);
    expect(intent).toEqual({
      operation: "print",
      provider: "inkjet",
      fallbackProviders: ["laser", "plotter"],
      input: { amount: 1 },
    });
    expect(digests).toEqual({
      given: digestIntent({ operation: "print", input: { amount: 1 } }),
      resolved: digestIntent(intent),
    });
  });

  it("may say the defaults, and then resolves to the same intent", async () => {
    const left = await judge({});
    const right = await judge({ provider: "inkjet", fallbackProviders: ["laser", "plotter"] });
    expect(left.digests?.given).not.toBe(right.digests?.given);
    expect(left.digests?.resolved).toBe(right.digests?.resolved);
  });

  it("may have no fallback at all, which is not the default", async () => {
    const { intent } = await judge({ fallbackProviders: [] });
    expect(intent.fallbackProviders).toEqual([]);
  });
});

describe("the faults of a request", () => {
  it("come all at once, as pointers into the mutation's input", async () => {
    const request = {
      provider: "lazer",
      fallbackProviders: ["laser", "laser", "fax"],
      input: { amount: -1 },
      metadata: ["\0"],
      priority: 101,
    };
    const expected = [
      "/provider",
      "/fallbackProviders/1",
      "/fallbackProviders/2",
      "/input/amount",
      "/metadata/0",
      "/priority",
    ];
    expect(await paths(request)).toEqual(expected);
    expect(await paths(request, "/jobs/3")).toEqual(expected.map((path) => `/jobs/3${path}`));
  });

  it("name the operations and providers that there are", async () => {
    const [unknown] = (await judge({ operation: "prnt" })).issues;
    expect(unknown).toEqual({ path: "/operation", message: 'There is no operation "prnt". Known ones: "print".' });
    const [elsewhere] = (await judge({ provider: "kiln" })).issues;
    expect(elsewhere?.message).toContain('Those that do: "inkjet", "laser", "plotter"');
  });

  it("hold a fallback that is the target, given or by default", async () => {
    expect(await paths({ fallbackProviders: ["inkjet"] })).toEqual(["/fallbackProviders/0"]);
    expect(await paths({ provider: "laser", fallbackProviders: ["inkjet", "laser"] })).toEqual([
      "/fallbackProviders/1",
    ]);
  });

  it("of an unknown operation do not stop the rest from being judged", async () => {
    expect(await paths({ operation: "x\0", provider: "y", input: ["\uD800"] })).toEqual([
      "/operation",
      "/provider",
      "/input/0",
    ]);
  });
});

describe("an input that cannot be stored", () => {
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);

  it.each([
    ["an unsafe integer", { a: 2 ** 53 }, "/input/a"],
    ["NUL", { "a/b": "\0" }, "/input/a~1b"],
    ["a lone surrogate", ["\uDC00"], "/input/0"],
    ["a number beyond doubles", [Number.POSITIVE_INFINITY], "/input/0"],
    ["nesting over 64", nested(65), `/input${"/0".repeat(64)}`],
  ])("%s has no digest", async (_, input, path) => {
    const { issues, digests } = await judge({ input });
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(digests).toBeNull();
  });

  it.each([
    ["the operation", { operation: "\uD800" }, "/operation"],
    ["the provider", { provider: "\uD800" }, "/provider"],
    ["a fallback", { fallbackProviders: ["a\uDC00"] }, "/fallbackProviders/0"],
  ])("nor has a lone surrogate in the name of %s, which is refused as unknown", async (_, request, path) => {
    const { issues, digests } = await judge(request);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(digests).toBeNull();
  });

  it("may be nested without bound and is still only refused", async () => {
    let input: Json = 1;
    for (let depth = 0; depth < 200_000; depth += 1) input = [input];
    expect((await judge({ input })).digests).toBeNull();
  });

  it("is one over 256 KiB as well, counted in bytes; it has a digest, for a key that holds it", async () => {
    expect(await paths({ input: "x".repeat(256 * 1024 - 2) })).toEqual([]);
    const { issues, digests } = await judge({ input: "ü".repeat(128 * 1024) });
    expect(issues.map((issue) => issue.path)).toEqual(["/input"]);
    expect(digests).not.toBeNull();
  });

  it("takes metadata up to 16 KiB", async () => {
    expect(await paths({ metadata: "x".repeat(16 * 1024 - 2) })).toEqual([]);
    expect(await paths({ metadata: "x".repeat(16 * 1024 - 1) })).toEqual(["/metadata"]);
  });
});
