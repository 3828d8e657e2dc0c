/** Who may do what, through the API: owners, workers and operators by their tokens, over HTTP, WebSocket and Server-Sent Events. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentOf, type Fields, refusalOf } from "../support/api-client.ts";
import type { Caller } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, transports } from "../support/api-streams.ts";

let server: ApiServer;
let job: { id: string; attemptId: string };
beforeAll(async () => {
  server = await startApiServer();
  const made = await newJob(server);
  job = { id: made.id, attemptId: made.latestAttempt.id };
});
afterAll(() => server.stop());

const create = () => ({ idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } });

describe("a role that does not fit is FORBIDDEN, and nothing changes", () => {
  const held = () => ({ attemptId: job.attemptId, leaseToken: "x" });
  const mutations: readonly [mutation: string, callers: readonly Caller[], input: () => Fields][] = [
    ["create-job", ["worker", "inkjetWorker"], create],
    ["create-jobs", ["worker"], () => ({ jobs: [create()] })],
    ["retry-job", ["worker"], () => ({ jobId: job.id, afterAttemptId: job.attemptId })],
    ["cancel-attempt", ["worker"], () => ({ attemptId: job.attemptId })],
    ["cancel-job", ["worker"], () => ({ jobId: job.id })],
    ["claim-attempts", ["ann", "operator"], () => ({ workerId: "w", providers: ["inkjet"] })],
    ["mark-attempt-running", ["ann", "operator"], held],
    ["heartbeat-attempt", ["ann", "operator"], held],
    ["complete-attempt", ["ann", "operator"], () => ({ ...held(), result: { pages: 1 } })],
    ["fail-attempt", ["ann", "operator"], () => ({ ...held(), certainty: "DEFINITE", code: "X", message: "x" })],
  ];

  it.each(mutations)("to %s", async (mutation, callers, input) => {
    const before = await server.rowsOf(job.id);
    const counted = await server.countRows();
    for (const caller of callers) {
      expect(await refusalOf(server.as(caller).send(mutation, input())), caller).toMatchObject({
        status: 200,
        code: "FORBIDDEN",
      });
    }
    expect(await server.rowsOf(job.id)).toEqual(before);
    expect(await server.countRows()).toEqual(counted);
  });

  it("to a worker that looks at jobs, attempts or lists of them", async () => {
    const asks: readonly [string, Fields][] = [
      ["job", { id: job.id }],
      ["job-by-key", { idempotencyKey: "1" }],
      ["jobs", {}],
      ["attempts", {}],
      ["node", { id: job.id }],
    ];
    for (const [name, variables] of asks) {
      expect(await refusalOf(server.worker.api.ask(documentOf(name), variables)), name).toMatchObject({
        code: "FORBIDDEN",
      });
    }
  });

  it.each(transports)("to a worker that subscribes, over %s", async (_name, connect) => {
    const streams = connect(server.url, "worker");
    for (const [name, variables] of [
      ["job-updated", { id: job.id }],
      ["job-events", { jobId: job.id }],
      ["attempt-updated", { jobId: job.id }],
    ] as const) {
      const stream = streams.open(name, variables);
      await stream.ends();
      expect(
        stream.errors.map((error) => error.code),
        name,
      ).toEqual(["FORBIDDEN"]);
    }
    streams.close();
  });

  it("to a worker that claims for a provider which its token does not name", async () => {
    const claim = (providers: string[]) =>
      server.as("inkjetWorker").send("claim-attempts", { workerId: "w", providers });
    expect(await refusalOf(claim(["inkjet", "laser"]))).toMatchObject({ code: "FORBIDDEN" });
    expect(await refusalOf(claim(["laser"]))).toMatchObject({ code: "FORBIDDEN" });
  });

  it("to an owner who asks for the override, or names another owner", async () => {
    const override = { provider: "laser", overrideGate: true, reason: "now" };
    expect(await refusalOf(server.ann.retry(job.id, job.attemptId, override))).toMatchObject({ code: "FORBIDDEN" });
    const another = { idempotencyKey: "1", ownerId: "bob" };
    expect(await refusalOf(server.ann.ask(documentOf("job-by-key"), another))).toMatchObject({ code: "FORBIDDEN" });
    for (const list of ["jobs", "attempts"]) {
      expect(await refusalOf(server.ann.ask(documentOf(list), { filter: { ownerId: "bob" } }))).toMatchObject({
        code: "FORBIDDEN",
      });
    }
  });
});

describe("two tokens of one owner", () => {
  it("are one owner: the same jobs, keys and subscriptions", async () => {
    const home = server.as("annAtHome");
    const intent = create();
    const made = await server.ann.create(intent);
    expect(await home.create(intent)).toMatchObject({ created: false, job: { id: made.job?.id } });
    expect(await home.jobOrNull(made.job!.id)).toMatchObject({ idempotencyKey: intent.idempotencyKey });
    expect(await home.ask("{ viewer { ownerId roles } }")).toEqual({ viewer: { ownerId: "ann", roles: ["OWNER"] } });
    const streams = overSocket(server.url, "annAtHome");
    await streams.open("job-updated", { id: made.job!.id }).sees(1);
    streams.close();
    expect(await home.cancelJob(made.job!.id)).toMatchObject({ __typename: "CancelJobSuccess" });
  });
});

describe("an operator", () => {
  it("sees and cancels every owner's jobs, and the event says who did", async () => {
    const { id } = await newJob(server);
    expect(await server.operator.jobOrNull(id)).toMatchObject({ id });
    await server.operator.cancelJob(id);
    expect((await server.ann.events(id)).at(-1)).toMatchObject({
      type: "JOB_CANCELLED",
      cause: "OPERATOR",
      actor: "olga",
    });
  });
});

describe("a worker's view of a job", () => {
  it("is what the attempt needs: owner, key, metadata, result, events and other attempts are not shown", async () => {
    const document = `mutation ($input: ClaimAttemptsInput!) { claimAttempts(input: $input) { ... on ClaimAttemptsSuccess {
      claims { attempt { job { id operationName input state version ownerId idempotencyKey metadata result
        attempts { nodes { id } } events { number } viewerCanRetry viewerCanCancel } } } } } }`;
    const next = await newJob(server, "print", { metadata: { table: 4 } });
    const seen = await server.worker.api.ask<{ claimAttempts: { claims: { attempt: { job: Fields } }[] } }>(document, {
      input: { workerId: "w", providers: ["inkjet"], limit: 100 },
    });
    const view = seen.claimAttempts.claims.map((claim) => claim.attempt.job).find((one) => one["id"] === next.id);
    expect(view).toEqual({
      id: next.id,
      operationName: "print",
      input: { text: "Menu" },
      state: "RUNNING",
      version: 1,
      ownerId: "",
      idempotencyKey: "",
      metadata: null,
      result: null,
      attempts: { nodes: [] },
      events: [],
      viewerCanRetry: false,
      viewerCanCancel: false,
    });
  });
});
