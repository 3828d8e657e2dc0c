/** Pausing and resuming providers through the API, and the audit log that tells of every operator's act. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentOf, type Fields, refusalOf } from "../support/api-client.ts";
import { reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly reason: string | null;
  readonly detail: unknown;
}

interface AuditLog {
  readonly edges: readonly { readonly cursor: string; readonly node: Entry }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
}

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function auditLog(variables: Fields = {}): Promise<AuditLog> {
  const { auditLog: log } = await server.operator.ask<{ auditLog: AuditLog }>(documentOf("audit-log"), variables);
  return log;
}

/** What operators did to one thing, oldest first. */
async function actsOn(targetId: string) {
  const { edges } = await auditLog({ first: 100 });
  const acts = edges.map(({ node }) => node).filter((entry) => entry.targetId === targetId);
  return acts.toReversed().map(({ actor, action, reason }) => ({ actor, action, reason }));
}

it("a pause shows on the provider, keeps its attempts waiting, and ends with a resume", async () => {
  const job = await reach(server, "QUEUED", { provider: "laser" });
  const paused = await server.operator.send("pause-provider", { provider: "laser", reason: "no toner" });
  expect(paused).toMatchObject({
    __typename: "PauseProviderSuccess",
    provider: { id: "prov_laser", pausedAt: expect.stringMatching(/Z$/), pauseReason: "no toner" },
  });
  expect(await server.operator.send("pause-provider", { provider: "laser", reason: "other" })).toEqual(paused);
  expect(await server.worker.finds(job.jobId)).toBe(false);
  expect(await server.operator.send("resume-provider", { provider: "laser" })).toMatchObject({
    __typename: "ResumeProviderSuccess",
    provider: { pausedAt: null, pauseReason: null },
  });
  expect(await server.worker.finds(job.jobId)).toBe(true);
  expect(await actsOn("prov_laser")).toEqual([
    { actor: "olga", action: "pauseProvider", reason: "no toner" },
    { actor: "olga", action: "resumeProvider", reason: null },
  ]);
});

it("a provider that nobody knows is NotFound, and a pause says why", async () => {
  expect(await server.operator.send("pause-provider", { provider: "abacus", reason: "x" })).toMatchObject({
    __typename: "NotFound",
    message: expect.stringContaining('"inkjet"'),
  });
  expect(await server.operator.send("resume-provider", { provider: "\0" })).toMatchObject({ __typename: "NotFound" });
  for (const reason of ["", " ", "a\0b", "x".repeat(2_001)]) {
    expect(await server.operator.send("pause-provider", { provider: "inkjet", reason })).toMatchObject({
      __typename: "InvalidInput",
      issues: [{ path: "/reason" }],
    });
  }
  expect(await actsOn("prov_inkjet")).toEqual([]);
});

it("each act on jobs and attempts is recorded once, its repeats and refusals are not", async () => {
  const { jobId, attemptId } = await reach(server, "UNKNOWN");
  const resolve = { attemptId, outcome: "FAILED", evidence: "seen" };
  await server.operator.send("resolve-attempt", resolve);
  await server.operator.send("resolve-attempt", resolve);
  await server.operator.cancelAttempt(attemptId, "closed already");
  const override = { provider: "laser", overrideGate: true, reason: "the owner waits" };
  const retried = await server.operator.retry(jobId, attemptId, override);
  const second = retried.attempt?.id ?? "";
  await server.worker.take(jobId);
  await server.operator.cancelAttempt(second, "stuck");
  await server.operator.cancelAttempt(second, "again");
  await server.operator.send("cancel-job", { jobId, reason: "given up" });
  await server.operator.cancelJob(jobId);
  expect(await actsOn(attemptId)).toEqual([{ actor: "olga", action: "resolveAttempt", reason: "seen" }]);
  expect(await actsOn(second)).toEqual([{ actor: "olga", action: "cancelAttempt", reason: "stuck" }]);
  expect(await actsOn(jobId)).toEqual([
    { actor: "olga", action: "retryJob", reason: "the owner waits" },
    { actor: "olga", action: "cancelJob", reason: "given up" },
  ]);
});

it("what an owner does to an own job is no operator's act", async () => {
  const { jobId, attemptId } = await reach(server, "QUEUED");
  await server.ann.cancelAttempt(attemptId);
  await server.ann.retry(jobId, attemptId);
  await server.ann.cancelJob(jobId);
  expect([...(await actsOn(jobId)), ...(await actsOn(attemptId))]).toEqual([]);
});

it("pages through the log newest first, by actor, and finds an entry by its id", async () => {
  const whole = (await auditLog({ first: 100 })).edges.map(({ node }) => node);
  expect(whole.map(({ at }) => at)).toEqual(
    whole
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  const seen: Entry[] = [];
  for (let after: string | null = null; ; ) {
    const page: AuditLog = await auditLog({ first: 2, after, actor: "olga" });
    seen.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) break;
  }
  expect(seen).toEqual(whole);
  expect((await auditLog({ actor: "nobody" })).edges).toEqual([]);
  const [entry] = whole;
  const node = `query ($id: ID!) { node(id: $id) { __typename ... on AuditEntry { id action } } }`;
  expect(await server.operator.ask(node, { id: entry?.id })).toEqual({
    node: { __typename: "AuditEntry", id: entry?.id, action: entry?.action },
  });
  expect(await server.operator.ask(node, { id: "audit_nonsense" })).toEqual({ node: null });
  expect(await refusalOf(server.ann.ask(node, { id: entry?.id }))).toMatchObject({ code: "FORBIDDEN" });
});

it("pages of the wrong size, foreign cursors and impossible actors are BAD_USER_INPUT", async () => {
  const jobs = await server.operator.ask<{ jobs: { pageInfo: { endCursor: string } } }>(documentOf("jobs"));
  const asks = [
    { first: 101 },
    { first: -1 },
    { after: "x" },
    { after: jobs.jobs.pageInfo.endCursor },
    { actor: "\0" },
  ];
  for (const variables of asks) {
    expect(await refusalOf(auditLog(variables)), JSON.stringify(variables)).toMatchObject({ code: "BAD_USER_INPUT" });
  }
});

it("owners and workers may neither pause, nor resume, nor read the log", async () => {
  for (const caller of ["ann", "worker"] as const) {
    const api = server.as(caller);
    const calls = [
      api.send("pause-provider", { provider: "inkjet", reason: "x" }),
      api.send("resume-provider", { provider: "inkjet" }),
      api.ask(documentOf("audit-log")),
    ];
    for (const call of calls) expect(await refusalOf(call)).toMatchObject({ code: "FORBIDDEN" });
  }
});
