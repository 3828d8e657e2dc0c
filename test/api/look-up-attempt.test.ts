/** lookUpAttempt through the API: what a provider says settles the attempt, what it cannot say leaves it, and what is refused. */
import { defineConfig, defineOperation, defineProvider } from "onejob";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import type { LookupCall } from "../../src/domain/operation.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { refusalOf, typesOf } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { jobStates, newJob, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const failure = { code: "NO_PAPER", message: "It never printed.", remedy: "SAME_PROVIDER" } as const;

/** What the press answers when it is asked, and what it was asked. */
let answer: () => Promise<Outcome | null>;
let asked: LookupCall[];
beforeEach(() => {
  answer = async () => null;
  asked = [];
});

/** Loses sight of everything it prints. */
const press = defineProvider({
  name: "press",
  revision: "1",
  async run(call) {
    await call.acknowledge("request-1");
    return { kind: "unknown", failure: { code: "SILENT", message: "No answer.", remedy: "NONE" } };
  },
  async lookup(call) {
    asked.push(call);
    return answer();
  },
});

const poster = defineOperation({
  name: "poster",
  effectClass: "QUERYABLE",
  input: z.object({ text: z.string() }),
  output: z.object({ pages: z.int().min(1) }),
  providers: ["press"],
});

let server: ApiServer;
beforeAll(async () => {
  const { operations, providers } = apiConfig;
  const config = { ...apiConfig, operations: [...operations, poster], providers: [...providers, press] };
  server = await startApiServer({ config: defineConfig(config) });
});
afterAll(() => server.stop());

async function lostPoster() {
  const { id } = await newJob(server, "poster");
  const job = await waitUntil("the press has lost the poster", async () => {
    const now = await server.ann.job(id);
    return now.state === "UNKNOWN" && now;
  });
  return { jobId: id, attemptId: job.latestAttempt.id };
}

const lookUp = (attemptId: string) => server.operator.send("look-up-attempt", { attemptId });

async function actsOn(attemptId: string) {
  return [...(await server.sql`select actor, action, detail from audit_log where target_id = ${attemptId}`)];
}

it("a result that the provider still has wins, in the operator's name", async () => {
  const { jobId, attemptId } = await lostPoster();
  answer = async () => ({ kind: "succeeded", result: { pages: 3 } });
  expect(await lookUp(attemptId)).toMatchObject({
    __typename: "LookUpAttemptSuccess",
    job: { state: "SUCCEEDED", result: { pages: 3 } },
    attempt: { state: "SUCCEEDED", effectUncertain: false, lookedUpAt: expect.stringMatching(/Z$/) },
  });
  expect(asked).toMatchObject([{ jobId, attemptId, providerRequestId: "request-1" }]);
  const events = (await server.ann.events(jobId)).slice(-2);
  expect(typesOf(events)).toEqual(["ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
  expect(events[0]).toMatchObject({ cause: "OPERATOR", actor: "olga" });
  const act = { actor: "olga", action: "lookUpAttempt", detail: { outcome: "SUCCEEDED" } };
  expect(await actsOn(attemptId)).toEqual([act]);
});

it("a failure that the provider is certain of ends the attempt with its own words", async () => {
  const { attemptId } = await lostPoster();
  answer = async () => ({ kind: "failed", failure });
  expect(await lookUp(attemptId)).toMatchObject({
    __typename: "LookUpAttemptSuccess",
    job: { state: "FAILED", failure },
    attempt: { state: "FAILED", failure, effectUncertain: false },
  });
  expect(await lookUp(attemptId)).toMatchObject({ __typename: "AttemptClosed", attempt: { id: attemptId } });
});

it("a result that breaks the operation's output is a certain failure with an effect that may exist", async () => {
  const { attemptId } = await lostPoster();
  answer = async () => ({ kind: "succeeded", result: { pages: 0 } });
  expect(await lookUp(attemptId)).toMatchObject({
    attempt: { state: "FAILED", failure: { code: "NONCONFORMING_RESULT" }, effectUncertain: true },
  });
});

it("a provider that cannot tell leaves the attempt UNKNOWN, and that it was asked is kept", async () => {
  const { jobId, attemptId } = await lostPoster();
  const version = (await server.ann.job(jobId)).lastEventNumber;
  const unclear: (Outcome | null)[] = [null, { kind: "unknown", failure }];
  for (const said of unclear) {
    answer = async () => said;
    expect(await lookUp(attemptId)).toMatchObject({
      __typename: "LookUpAttemptSuccess",
      job: { state: "UNKNOWN", lastEventNumber: version },
      attempt: { state: "UNKNOWN", lookedUpAt: expect.stringMatching(/Z$/) },
    });
  }
  expect(await actsOn(attemptId)).toHaveLength(2);
});

it("a provider that breaks over the question is LookupUnavailable, and nothing is written", async () => {
  const { jobId, attemptId } = await lostPoster();
  const rows = await server.rowsOf(jobId);
  answer = () => Promise.reject(new Error("Connection refused."));
  expect(await lookUp(attemptId)).toMatchObject({
    __typename: "LookupUnavailable",
    code: "LOOKUP_UNAVAILABLE",
    attempt: { id: attemptId, state: "UNKNOWN" },
  });
  expect(await server.rowsOf(jobId)).toEqual(rows);
  expect(await actsOn(attemptId)).toEqual([]);
});

it.each(jobStates)("an attempt of a %s job at a provider without look-up is refused by its state", async (state) => {
  const { jobId, attemptId } = await reach(server, state);
  const rows = await server.rowsOf(jobId);
  const isLive = ["QUEUED", "RUNNING", "UNKNOWN"].includes(state);
  expect(await lookUp(attemptId)).toMatchObject({ __typename: isLive ? "LookupUnavailable" : "AttemptClosed" });
  expect(await server.rowsOf(jobId)).toEqual(rows);
});

it("ids that name nothing are NotFound, and only operators may ask", async () => {
  for (const id of ["nonsense", "att_01h455vb4pex5vsknk084sn02q"]) {
    expect(await lookUp(id)).toMatchObject({ __typename: "NotFound" });
  }
  const { attemptId } = await lostPoster();
  for (const caller of ["ann", "worker"] as const) {
    const call = server.as(caller).send("look-up-attempt", { attemptId });
    expect(await refusalOf(call)).toMatchObject({ code: "FORBIDDEN" });
  }
  expect(asked).toEqual([]);
});
