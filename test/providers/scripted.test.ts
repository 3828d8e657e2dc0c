/** The scripted provider plays its script, step by step and the same way each time. */
import { expect, test } from "vitest";
import type { ProviderCall } from "../../src/domain/operation.ts";
import { type ScriptedProvider, scriptedProvider } from "../../src/providers/scripted.ts";

interface Staged {
  readonly call: ProviderCall;
  readonly seen: (string | number | null)[];
  readonly aborting: AbortController;
}

function stage(jobId = "job_1", attemptId = "att_1"): Staged {
  const seen: Staged["seen"] = [];
  const aborting = new AbortController();
  const call: ProviderCall = {
    jobId,
    attemptId,
    attemptNumber: 1,
    operation: "print",
    operationVersion: 1,
    input: { text: "hello" },
    idempotencyKey: `${jobId}:inkjet`,
    deadline: new Date(0),
    signal: aborting.signal,
    traceparent: null,
    reportProgress: ({ fraction }) => seen.push(fraction),
    async acknowledge(id) {
      seen.push(id ?? null);
    },
  };
  return { call, seen, aborting };
}

function inkjet(script: ScriptedProvider["script"], work?: ScriptedProvider["work"]) {
  const { run } = scriptedProvider({ name: "inkjet", script, ...(work && { work }) });
  if (run === undefined) throw new Error("A scripted provider runs.");
  return run;
}

test("each attempt of a job at the provider plays the next step, and the last one is repeated", async () => {
  const run = inkjet([{ kind: "jam" }, { kind: "unknown" }, { kind: "ok", result: 7 }]);
  const kinds = [];
  for (let attempt = 0; attempt < 4; attempt += 1) kinds.push((await run(stage().call)).kind);
  expect(kinds).toEqual(["failed", "unknown", "succeeded", "succeeded"]);
});

test("another job begins the script anew", async () => {
  const run = inkjet([{ kind: "jam" }, { kind: "ok" }]);
  expect((await run(stage("job_1").call)).kind).toBe("failed");
  expect((await run(stage("job_2").call)).kind).toBe("failed");
  expect((await run(stage("job_1").call)).kind).toBe("succeeded");
});

test("it acknowledges with an id of its own before anything else, then reports the progress", async () => {
  const { call, seen } = stage();
  await inkjet([{ kind: "ok", afterMs: 4, progress: [0.25, 0.5, 1] }])(call);
  expect(seen).toEqual(["inkjet-att_1", 0.25, 0.5, 1]);
});

test("a script may depend on the call", async () => {
  const run = inkjet((call) => [call.jobId === "job_bad" ? { kind: "jam" } : { kind: "ok" }]);
  expect((await run(stage("job_bad").call)).kind).toBe("failed");
  expect((await run(stage("job_good").call)).kind).toBe("succeeded");
});

test("ok does the real work, and its result may be made of the call", async () => {
  const work = async () => ({ pages: 3 });
  expect(await inkjet([{ kind: "ok" }], work)(stage().call)).toEqual({ kind: "succeeded", result: { pages: 3 } });
  const script = [{ kind: "ok", result: (call: ProviderCall) => ({ of: call.jobId }) }] as const;
  expect(await inkjet(script)(stage().call)).toEqual({ kind: "succeeded", result: { of: "job_1" } });
});

test("jam fails for certain, with the code, message and remedy of the script", async () => {
  const run = inkjet([{ kind: "jam", code: "EMPTY", message: "No paper", remedy: "NONE" }]);
  const failure = { code: "EMPTY", message: "No paper", remedy: "NONE" };
  expect(await run(stage().call)).toEqual({ kind: "failed", failure });
});

test("crash throws", async () => {
  await expect(inkjet([{ kind: "crash", message: "boom" }])(stage().call)).rejects.toThrow("boom");
});

test("ok, jam, unknown and crash heed the abort and then know nothing for certain", async () => {
  for (const kind of ["ok", "jam", "unknown", "crash"] as const) {
    const { call, aborting } = stage();
    const running = inkjet([{ kind, afterMs: 60_000 }])(call);
    aborting.abort();
    expect(await running).toMatchObject({ kind: "unknown", failure: { code: "ABORTED" } });
  }
});

test("late works and answers only after it was given up", async () => {
  const done: string[] = [];
  const work = async () => {
    done.push("worked");
    return 1;
  };
  const { call, aborting } = stage();
  const running = inkjet([{ kind: "late", byMs: 5 }], work)(call);
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  done.push("given up");
  aborting.abort();
  expect(await running).toEqual({ kind: "succeeded", result: 1 });
  expect(done).toEqual(["given up", "worked"]);
});

test("hang answers never, also when it is given up", async () => {
  const { call, aborting } = stage();
  let answered = false;
  void inkjet([{ kind: "hang" }])(call).finally(() => {
    answered = true;
  });
  aborting.abort();
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(false);
});

test("an empty script is refused where it is declared", () => {
  expect(() => scriptedProvider({ name: "inkjet", script: [] })).toThrow(/no step/);
});
