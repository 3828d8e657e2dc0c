/** The program as its users meet it: what `serve` says when it cannot start, and how it stops. Each runs in a process of its own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";
import { expectedFaults } from "./fixtures/faulty-config.ts";
import { type Program, startProgram } from "./start-program.ts";

const configFile = fileURLToPath(new URL("./fixtures/print-config.ts", import.meta.url));
const faultyFile = fileURLToPath(new URL("./fixtures/faulty-config.ts", import.meta.url));
const timeoutMs = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());

async function linesOf(program: Program): Promise<{ code: number | null; lines: string[] }> {
  const code = await program.exit();
  return { code, lines: program.said().trimEnd().split("\n") };
}

/** Starts the print shop on the test's database; `changes` are added to its environment. */
function startShop(changes: Record<string, string> = {}, ...args: string[]): Program {
  const environment = { DATABASE_URL: database.url, ONEJOB_SHUTDOWN_GRACE_MS: "30000", ...changes };
  return startProgram(["serve", "--config", configFile, "--port", "0", ...args], environment);
}

describe("a start that cannot succeed", { timeout: timeoutMs }, () => {
  it("names every fault of the configuration, a line each", async () => {
    const { code, lines } = await linesOf(startProgram(["serve", "--config", faultyFile], { PORT: "70000" }));
    expect(lines).toEqual(expectedFaults.map((fault) => `onejob: ${fault}`));
    expect(code).toBe(1);
  });

  it("says which configuration file is missing", async () => {
    const { code, lines } = await linesOf(startProgram(["serve", "--config", "no-such.config.ts"]));
    expect(lines).toEqual([expect.stringMatching(/^onejob: There is no configuration file .*no-such\.config\.ts\.$/)]);
    expect(code).toBe(1);
  });

  it("says that the port is taken, and how to choose another", async () => {
    const occupant = createServer().listen(0, "127.0.0.1");
    try {
      await waitUntil("the port is taken", () => occupant.listening);
      const { port } = occupant.address() as AddressInfo;
      const { code, lines } = await linesOf(startShop({}, "--port", String(port)));
      expect(lines).toEqual([
        `onejob: The port ${port} on 127.0.0.1 is taken: choose another with --port or PORT, or stop what listens there.`,
      ]);
      expect(code).toBe(1);
    } finally {
      occupant.close();
    }
  });

  it.each([
    ["leads nowhere", (url: URL) => Object.assign(url, { port: "1" }), /nothing listens at .*:1:/],
    [
      "names no database",
      (url: URL) => Object.assign(url, { pathname: "/no-such-database" }),
      /there is no database no-such-database at /,
    ],
    [
      "has the wrong role",
      (url: URL) => Object.assign(url, { username: "nobody-here" }),
      /refuses the password of|does not let|role .* does not exist/,
    ],
    ["is no address", () => "postgres//nonsense", /^onejob: DATABASE_URL is no PostgreSQL address/],
  ])("says in one line that DATABASE_URL %s", async (_, change, expected) => {
    const { code, lines } = await linesOf(startShop({ DATABASE_URL: String(change(new URL(database.url))) }));
    expect(lines).toEqual([expect.stringMatching(expected)]);
    expect(code).toBe(1);
  });

  it("refuses to listen beyond loopback without authentication", async () => {
    const { code, lines } = await linesOf(startShop({}, "--host", "0.0.0.0"));
    expect(lines).toEqual([expect.stringMatching(/^onejob: --host is 0\.0\.0\.0, .* configure auth/)]);
    expect(code).toBe(1);
  });

  it.each([
    [["print"], "onejob: There is no command print: onejob --help shows which there are."],
    [["serve", "--nope"], "onejob: Unknown option '--nope': onejob serve --help shows what there is."],
  ])("does not guess what %j means", async (args, expected) => {
    expect(await linesOf(startProgram(args))).toEqual({ code: 2, lines: [expected] });
  });
});

describe("a server", { timeout: timeoutMs }, () => {
  async function ask(url: string, query: string): Promise<unknown> {
    const body = JSON.stringify({ query });
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return await response.json();
  }

  it.each(["SIGTERM", "SIGINT"] as const)("is ready, serves, and stops in order on %s", async (signal) => {
    const program = startShop();
    const url = await program.url();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await ask(url, "{ viewer { ownerId } }")).toEqual({ data: { viewer: { ownerId: "local" } } });
    program.process.kill(signal);
    expect(await program.exit()).toBe(0);
    expect(program.said()).toContain('"event":"stopped"');
  });

  it("lets running attempts go on after one signal, and ends at once on the next", async () => {
    const program = startShop();
    const url = await program.url();
    const create =
      'createJob(input: { idempotencyKey: "hang", operation: "print", provider: "stuck", input: { text: "x" } })';
    await ask(url, `mutation { ${create} { __typename } }`);
    const stateQuery = '{ jobByKey(idempotencyKey: "hang") { state } }';
    await waitUntil("the attempt runs", async () => JSON.stringify(await ask(url, stateQuery)).includes("RUNNING"));
    program.process.kill("SIGTERM");
    await waitUntil("it stops", () => program.said().includes('"event":"stopping"'));
    // One press may arrive twice, so the second signal counts only after a moment: it is sent until it does.
    await waitUntil("it has ended", () => {
      program.process.kill("SIGTERM");
      return program.process.exitCode !== null;
    });
    expect(await program.exit()).toBe(130);
  });
});
