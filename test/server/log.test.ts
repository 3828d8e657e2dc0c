/** What reaches the log of an event, and what never does: the values that an error was about. */
import { describe, expect, it } from "vitest";
import { ProviderFault } from "../../src/runtime/provider-fault.ts";
import { createLog } from "../../src/server/log.ts";

type Options = Parameters<typeof createLog>[0];

function lines(write: (log: ReturnType<typeof createLog>) => void, options: Partial<Options> = {}): string[] {
  const written: string[] = [];
  write(createLog({ level: "info", format: "json", write: (line) => written.push(line), ...options }));
  return written;
}

/** As Drizzle wraps what PostgreSQL said: the message quotes the parameters. */
function databaseError(): Error {
  const cause = Object.assign(new Error("deadlock detected"), { code: "40P01" });
  return Object.assign(new Error("Failed query: insert …\nparams: the-secret", { cause }), { query: "", params: [] });
}

describe("an event", () => {
  it("is a line of JSON with an instant, for programs", () => {
    const [line = ""] = lines((log) => log.info("attempt-reported", { jobId: "job_1" }));
    expect(JSON.parse(line)).toEqual({
      level: "info",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      event: "attempt-reported",
      jobId: "job_1",
    });
    expect(line.endsWith("}\n")).toBe(true);
  });

  it("is a sentence with its fields behind it, for people", () => {
    const human = lines(
      (log) => {
        log.info("ready", { message: "Ready", url: "http://localhost:4000" });
        log.warn("slow", { reason: "a b", tries: 2 });
      },
      { format: "human" },
    );
    expect(human).toEqual(["Ready url=http://localhost:4000\n", 'warn: slow reason="a b" tries=2\n']);
  });

  it("is left out below the level", () => {
    const all = (log: ReturnType<typeof createLog>) => {
      for (const level of ["debug", "info", "warn", "error"] as const) log[level]("x");
    };
    expect(lines(all, { level: "warn" })).toHaveLength(2);
    expect(lines(all, { level: "debug" })).toHaveLength(4);
  });
});

describe("an error", () => {
  it("is said without the values that the statement was about", () => {
    const [line = ""] = lines((log) => log.error("unexpected-error", { error: databaseError() }), { level: "debug" });
    expect(line).not.toContain("the-secret");
    expect(JSON.parse(line)).toMatchObject({ error: { message: "deadlock detected", code: "40P01" } });
  });

  it("shows its stack at the level debug alone", () => {
    const fail = (log: ReturnType<typeof createLog>) => log.error("failed", { error: new Error("Oh.") });
    expect(lines(fail, { format: "human" })).toEqual(["error: failed error=Oh.\n"]);
    expect(lines(fail, { format: "human", level: "debug" })[0]).toMatch(/^error: failed error=Oh\.\n {4}at /);
  });

  it("may be anything that was thrown", () => {
    const [text = ""] = lines((log) => log.error("failed", { error: { token: "the-secret" } }));
    expect(text).not.toContain("the-secret");
  });
});

describe("what a terminal would obey", () => {
  const hostile = "a\u001b[2J\u0007\u009b31m\u202e\u2028b\r\nerror: forged";

  it.each(["human", "json"] as const)("is shown and not done, in a line of the format %s", (format) => {
    const [line = "", ...others] = lines((log) => log.warn("claimed", { workerId: hostile, message: hostile }), {
      format,
    });
    expect(others).toEqual([]);
    expect(line).toMatch(/^[\u0020-\u007e]+\n$/);
    expect(line).toContain("u001b[2J");
    const read: unknown = format === "json" ? JSON.parse(line) : { workerId: hostile };
    expect(read).toMatchObject({ workerId: hostile });
  });
});

it("an error of a provider's code says what it quotes at the level debug alone", () => {
  const error = new ProviderFault(new TypeError("cannot print the-secret"));
  const said = (level: "warn" | "debug") => lines((log) => log.warn("look-up-failed", { error }), { level })[0] ?? "";
  expect(said("warn")).toContain("the provider's code threw TypeError");
  expect(said("warn")).not.toContain("the-secret");
  expect(said("debug")).toContain("the-secret");
});
