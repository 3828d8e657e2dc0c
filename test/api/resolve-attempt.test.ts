/** resolveAttempt through the API: who may, what is refused before anything is written, and what the answer and the log show. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fields, refusalOf, typesOf } from "../support/api-client.ts";
import { jobStates, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const evidence = "The printer's own log has it.";
const resolve = (attemptId: string, more: Fields = {}) =>
  server.operator.send("resolve-attempt", { attemptId, outcome: "SUCCEEDED", result: { pages: 1 }, evidence, ...more });

it("SUCCEEDED takes the result slot in the operator's name, and the evidence is in the events", async () => {
  const { jobId, attemptId } = await reach(server, "UNKNOWN");
  const answer = await resolve(attemptId, { result: { pages: 7 } });
  expect(answer).toMatchObject({
    __typename: "ResolveAttemptSuccess",
    job: { id: jobId, state: "SUCCEEDED", result: { pages: 7 }, winner: { id: attemptId } },
    attempt: { id: attemptId, state: "SUCCEEDED", effectUncertain: false },
  });
  const events = (await server.ann.events(jobId)).slice(-2);
  expect(typesOf(events)).toEqual(["ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
  for (const event of events) expect(event).toMatchObject({ cause: "OPERATOR", actor: "olga", detail: { evidence } });
});

it("FAILED ends the job with the remedy given, and nothing follows by itself", async () => {
  const { jobId, attemptId } = await reach(server, "UNKNOWN");
  const failed = { outcome: "FAILED", result: null, remedy: "SAME_PROVIDER" };
  const failure = { code: "RESOLVED_FAILED", message: evidence, remedy: "SAME_PROVIDER" };
  expect(await resolve(attemptId, failed)).toMatchObject({
    __typename: "ResolveAttemptSuccess",
    job: { state: "FAILED", failure },
    attempt: { state: "FAILED", failure, effectUncertain: true },
  });
  expect((await server.ann.job(jobId)).attempts.nodes).toHaveLength(1);
  const rows = await server.rowsOf(jobId);
  expect(await resolve(attemptId, failed)).toMatchObject({ __typename: "ResolveAttemptSuccess" });
  expect(await server.rowsOf(jobId)).toEqual(rows);
});

it("an attempt that ended in another way is AttemptClosed or, with a result, ResultDiscarded", async () => {
  const { attemptId } = await reach(server, "SUCCEEDED");
  expect(await resolve(attemptId, { outcome: "FAILED", result: null })).toMatchObject({
    __typename: "AttemptClosed",
    code: "ATTEMPT_CLOSED",
    attempt: { id: attemptId },
  });
  expect(await resolve(attemptId, { result: { pages: 9 } })).toMatchObject({
    __typename: "ResultDiscarded",
    winner: { number: 1 },
    job: { result: { pages: 1 } },
  });
});

const refusals: readonly [fault: string, input: Fields, path: string][] = [
  ["a result that breaks the operation's output", { result: { pages: 0 } }, "/result/pages"],
  ["a result left out where the output wants one", { result: null }, "/result"],
  ["a result that cannot be stored", { result: { pages: 1, note: "a\u0000b" } }, "/result/note"],
  ["an integer that readers would round", { result: { pages: 2 ** 53 } }, "/result/pages"],
  ["a result with FAILED", { outcome: "FAILED" }, "/result"],
  ["no evidence", { evidence: " \n" }, "/evidence"],
  ["evidence that cannot be stored", { evidence: "a\u0000b" }, "/evidence"],
  ["evidence without end", { evidence: "x".repeat(4_001) }, "/evidence"],
];

it.each(refusals)("%s is InvalidInput, and nothing is written", async (_fault, input, path) => {
  const { jobId, attemptId } = await reach(server, "UNKNOWN");
  const rows = await server.rowsOf(jobId);
  expect(await resolve(attemptId, input)).toMatchObject({ __typename: "InvalidInput", issues: [{ path }] });
  expect(await server.rowsOf(jobId)).toEqual(rows);
});

it("an attempt that no worker has had is to be cancelled instead", async () => {
  const { attemptId } = await reach(server, "QUEUED");
  expect(await resolve(attemptId)).toMatchObject({ __typename: "InvalidInput", issues: [{ path: "/attemptId" }] });
});

it("an id that names nothing is NotFound", async () => {
  const { jobId } = await reach(server, "QUEUED");
  for (const id of [jobId, "att_", "nonsense", "att_01h455vb4pex5vsknk084sn02q"]) {
    expect(await resolve(id), id).toMatchObject({ __typename: "NotFound", code: "NOT_FOUND" });
  }
});

it.each(jobStates)("only operators may, whatever the state: %s", async (state) => {
  const { jobId, attemptId } = await reach(server, state);
  const rows = await server.rowsOf(jobId);
  const input = { attemptId, outcome: "SUCCEEDED", result: { pages: 1 }, evidence };
  for (const caller of ["ann", "bob", "worker"] as const) {
    expect(await refusalOf(server.as(caller).send("resolve-attempt", input))).toMatchObject({ code: "FORBIDDEN" });
  }
  expect(await server.rowsOf(jobId)).toEqual(rows);
});
