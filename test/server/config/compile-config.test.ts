/** What a configuration may say and how it is refused, by compiling it: no file is read and no server started. */
import { defineConfig, defineOperation, externalProvider, type InputOf, type Provider, type ResultOf } from "onejob";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { compileConfig } from "../../../src/server/config/compile-config.ts";
import type { OnejobConfig } from "../../../src/server/config/definitions.ts";
import { overridesFrom } from "../../../src/server/config/environment.ts";
import { defaultHttpSettings } from "../../../src/server/config/read-http.ts";
import { defaultLimits } from "../../../src/server/config/read-limits.ts";
import { StartupFault } from "../../../src/server/startup-fault.ts";
import faultyConfig, { expectedFaults } from "../fixtures/faulty-config.ts";

const print = defineOperation({
  name: "print",
  effectClass: "QUERYABLE",
  input: z.object({ text: z.string(), copies: z.int().default(1) }),
  output: z.object({ pages: z.int() }),
  providers: ["inkjet"],
});

const minimal = defineConfig({ operations: [print], providers: [externalProvider({ name: "inkjet", revision: "1" })] });

function compile(config: unknown, environment: Record<string, string> = {}) {
  return compileConfig(config, overridesFrom(environment));
}

function faultsOf(config: unknown, environment: Record<string, string> = {}): readonly string[] {
  try {
    compile(config, environment);
    return [];
  } catch (error) {
    if (error instanceof StartupFault) return error.lines;
    throw error;
  }
}

function withPrint(changes: object): OnejobConfig {
  return { ...minimal, operations: [{ ...print, ...changes }] };
}

describe("a configuration with faults", () => {
  it("is refused with all of them at once, each by its place", () => {
    expect(faultsOf(faultyConfig, { PORT: "70000" })).toEqual(expectedFaults);
  });

  it("never quotes a token or a database's password", () => {
    const text = faultsOf(faultyConfig, { DATABASE_URL: "http://ann:swordfish@db/x" }).join("\n");
    expect(text).toContain("DATABASE_URL is no PostgreSQL address");
    expect(text).not.toMatch(/swordfish|a-long-enough-token/);
  });

  it.each([undefined, null, 7, [], "text"])("is refused when it is %j and no object", (config) => {
    expect(faultsOf(config)).toEqual([
      "The configuration must export an object by default: export default defineConfig({ … }).",
    ]);
  });

  it("says that an empty one lacks providers and operations", () => {
    expect(faultsOf({})).toEqual(["providers is required.", "operations is required."]);
  });

  it("is refused when its contract has no stable form", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(faultsOf(withPrint({ contract: { circle } }))).toEqual([
      "operations[0] (print).contract has no stable form: it is nested more than 64 deep, or in a circle.",
    ]);
  });

  it("does not listen beyond loopback without authentication", () => {
    const [fault] = faultsOf(minimal, { HOST: "0.0.0.0" });
    expect(fault).toMatch(/^HOST is 0\.0\.0\.0, .* configure auth, or listen on 127\.0\.0\.1\.$/);
    for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
      expect(faultsOf({ ...minimal, host })).toEqual([]);
    for (const host of ["::", "10.0.0.1", "127.0.0.1.evil.example"])
      expect(faultsOf({ ...minimal, host })).toHaveLength(1);
  });
});

describe("a configuration without faults", () => {
  it("gets the defaults that are documented", () => {
    const compiled = compile(minimal);
    expect(compiled).toMatchObject({
      host: "127.0.0.1",
      port: 4000,
      databaseUrl: null,
      dataDir: ".onejob",
      logLevel: "info",
      logFormat: null,
      shutdownGraceMs: 10_000,
      auth: null,
      limits: defaultLimits,
      http: defaultHttpSettings,
      directDatabaseUrl: null,
      live: { progressMs: 100, redisUrl: null },
    });
    expect(compiled.catalog.operations.get("print")).toMatchObject({
      version: 1,
      attemptTimeoutMs: 30_000,
      leaseMs: 15_000,
      retry: { maxAttempts: 3, initialDelayMs: 500, maxDelayMs: 30_000 },
      cancelAttempt: "operator",
    });
  });

  it("lets owners cancel attempts of PURE operations, and of others where it says so", () => {
    const ruleOf = (changes: object) => compile(withPrint(changes)).catalog.operations.get("print")?.cancelAttempt;
    expect(ruleOf({ effectClass: "PURE" })).toBe("owner");
    expect(ruleOf({ effectClass: "BLIND" })).toBe("operator");
    expect(ruleOf({ effectClass: "BLIND", cancelAttempt: "owner" })).toBe("owner");
  });

  it("is overridden by the environment, where an empty variable counts as absent", () => {
    const file = { ...minimal, port: 4100, log: { level: "warn" } as const };
    const environment = { PORT: "0", DATABASE_URL: "postgres://ann:pw@db:5432/jobs", ONEJOB_DATA_DIR: "" };
    expect(compile(file, environment)).toMatchObject({
      port: 0,
      databaseUrl: "postgres://ann:pw@db:5432/jobs",
      dataDir: ".onejob",
      logLevel: "warn",
    });
  });

  it("takes an address past the pooler beside one that leads through it alone", () => {
    const DIRECT_DATABASE_URL = "postgres://ann:pw@db:5432/jobs";
    expect(faultsOf(minimal, { DIRECT_DATABASE_URL })).toEqual([
      "DIRECT_DATABASE_URL leads past a pooler, and there is none: name the pooler's address as databaseUrl, or leave this out.",
    ]);
    const both = { DIRECT_DATABASE_URL, DATABASE_URL: "postgres://ann:pw@pooler:6432/jobs" };
    expect(compile(minimal, both).directDatabaseUrl).toBe(DIRECT_DATABASE_URL);
  });

  it("keeps a provider's methods on the provider", async () => {
    class Printer implements Provider {
      readonly name = "inkjet";
      readonly revision = "1";
      readonly description = null;
      readonly concurrency = 1;
      readonly #ink = "black";
      async run() {
        return { kind: "succeeded", result: this.#ink } as const;
      }
    }
    const provider = compile({ ...minimal, providers: [new Printer()] }).catalog.providers.get("inkjet");
    expect(await provider?.run?.({} as never)).toEqual({ kind: "succeeded", result: "black" });
    expect(provider).not.toHaveProperty("lookup");
  });

  it("gives the schemas' types to whoever writes a provider or a contract", () => {
    expectTypeOf<InputOf<typeof print>>().toEqualTypeOf<{ text: string; copies?: number | undefined }>();
    expectTypeOf<ResultOf<typeof print>>().toEqualTypeOf<{ pages: number }>();
    defineOperation({
      ...print,
      contract: {
        predicates: [{ name: "has a page", holds: ({ input, output }) => output.pages > input.text.length }],
      },
    });
  });
});

describe("the contract's digest", () => {
  const digestOf = (changes: object = {}) =>
    compile(withPrint(changes)).catalog.operations.get("print")?.contractDigest;

  it("is the same for the same contract, and another for any other", () => {
    const contract = (least: number) => ({ predicates: [{ name: "pages", holds: () => least > 0 }], runs: least });
    const digests = [
      digestOf(),
      digestOf({ version: 2 }),
      digestOf({ effectClass: "BLIND" }),
      digestOf({ input: z.object({ text: z.string() }) }),
      digestOf({ output: z.object({ pages: z.int().min(1) }) }),
      digestOf({ contract: contract(1) }),
      digestOf({ contract: contract(2) }),
      digestOf({ contract: { predicates: [{ name: "pages", holds: () => false }], runs: 1 } }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digestOf()).toBe(digests[0]);
    expect(digestOf({ contract: contract(1) })).toBe(digests[5]);
  });

  it("leaves alone what proves nothing about a provider", () => {
    expect(digestOf({ leaseMs: 1, description: "Prints.", retry: { maxAttempts: 1 } })).toBe(digestOf());
  });
});
