/** The queries for one thing (node, job, jobByKey, attempt, viewer), the audit log, and what these answer with. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { type Fields, refusalOf } from "../../support/api-client.ts";
import { certify } from "../../support/certify.ts";
import { type PageSeen, pageSelection, promiseConnection, promisePages } from "../../support/contract-pages.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, intent, look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
/** An UNKNOWN job whose attempt an operator has resolved FAILED; before it olga has paused and resumed the laser, and withdrawn many. */
let settled: { readonly jobId: string; readonly attemptId: string };
beforeAll(async () => {
  world = await startWorld();
  await mutate(world.operator, "pauseProvider", { provider: "laser", reason: "no toner" });
  await mutate(world.operator, "resumeProvider", { provider: "laser" });
  await world.fresh("QUEUED");
  await mutate(world.operator, "cancelJobs", { filter: { operation: "steady" }, reason: "the shop closes" });
  settled = await world.fresh("UNKNOWN");
  const resolve = { attemptId: settled.attemptId, outcome: "FAILED", evidence: "seen", remedy: "OTHER_PROVIDER" };
  await mutate(world.operator, "resolveAttempt", resolve);
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Query.node",
  "Query.job",
  "Query.jobByKey",
  "Query.attempt",
  "Query.viewer",
  "Query.auditLog",
  "Node",
  "Viewer",
  "Role",
  "AuditEntry",
  "AuditEntryConnection",
  "AuditEntryEdge",
);

async function nodeIdsByType(): Promise<Readonly<Record<string, string>>> {
  const { jobId, attemptId } = await world.in("QUEUED");
  const [entry] = (await auditLog("first: 1")).nodes;
  const certification = await certify(world.sql, { operation: "steady" });
  const { certifications } = await world.ann.ask<{ certifications: { nodes: { id: string }[] } }>(
    "{ certifications(first: 1) { nodes { id } } }",
  );
  expect(certification).toMatch(/^[0-9a-f-]{36}$/);
  return {
    Job: jobId,
    Attempt: attemptId,
    Certification: certifications.nodes[0]!.id,
    Operation: "op_steady",
    Provider: "prov_laser",
    AuditEntry: entry!.id,
  };
}

const node = async (id: string) =>
  (await world.operator.ask<{ node: Fields | null }>("query ($id: ID!) { node(id: $id) { __typename id } }", { id }))
    .node;

promise(
  "Query.node",
  "is whatever an id names, of each type that has ids, and null where it names nothing",
  async () => {
    for (const [type, id] of Object.entries(await nodeIdsByType()))
      expect(await node(id)).toMatchObject({ __typename: type });
    expect(await node("job_01h455vb4pex5vsknk084sn02q")).toBeNull();
  },
);

promise("Node.id", "is the id by which it was asked for", async () => {
  for (const id of Object.values(await nodeIdsByType())) expect(await node(id)).toMatchObject({ id });
});

promise("Query.job", "is the caller's own, and null where it is another's or none", async () => {
  const { jobId } = await world.in("QUEUED");
  const ask = (api = world.ann, id = jobId) => api.ask("query ($id: ID!) { job(id: $id) { id } }", { id });
  expect(await ask()).toEqual({ job: { id: jobId } });
  expect(await ask(world.as("bob"))).toEqual({ job: null });
  expect(await ask(world.ann, settled.attemptId)).toEqual({ job: null });
});

promise("Query.attempt", "is one at the caller's own job, and null where it is another's or none", async () => {
  const ask = (api = world.ann, id = settled.attemptId) =>
    api.ask("query ($id: ID!) { attempt(id: $id) { id job { id } } }", { id });
  expect(await ask()).toEqual({ attempt: { id: settled.attemptId, job: { id: settled.jobId } } });
  expect(await ask(world.as("bob"))).toEqual({ attempt: null });
  expect(await ask(world.ann, settled.jobId)).toEqual({ attempt: null });
});

const byKey =
  (api = world.ann, more = "") =>
  (idempotencyKey: string) =>
    api.ask(`query ($key: String!) { jobByKey(idempotencyKey: $key${more}) { id } }`, { key: idempotencyKey });

promise("Query.jobByKey", "finds the caller's own job by its key, and null under a free one", async () => {
  const given = intent();
  const { job } = await world.ann.create(given);
  expect(await byKey()(given.idempotencyKey)).toEqual({ jobByKey: { id: job?.id } });
  expect(await byKey(world.as("bob"))(given.idempotencyKey)).toEqual({ jobByKey: null });
  expect(await byKey()(randomUUID())).toEqual({ jobByKey: null });
});

promise("Query.jobByKey(ownerId:)", "lets an operator name the owner", async () => {
  const given = intent();
  const { job } = await world.ann.create(given);
  expect(await byKey(world.operator, ', ownerId: "ann"')(given.idempotencyKey)).toEqual({ jobByKey: { id: job?.id } });
  expect(await byKey(world.operator, ', ownerId: "bob"')(given.idempotencyKey)).toEqual({ jobByKey: null });
});

promise("Query.viewer", "is the caller", async () => {
  expect(await world.ann.ask("{ viewer { ownerId } }")).toEqual({ viewer: { ownerId: "ann" } });
});

promise("Viewer.ownerId", "is the token's owner, the same for two tokens of one", async () => {
  for (const [caller, ownerId] of [
    ["annAtHome", "ann"],
    ["operator", "olga"],
    ["worker", "print-shop"],
  ] as const)
    expect(await world.as(caller).ask("{ viewer { ownerId } }")).toEqual({ viewer: { ownerId } });
});

promise("Viewer.roles", "are the token's", async () => {
  expect(await world.ann.ask("{ viewer { roles } }")).toEqual({ viewer: { roles: ["OWNER"] } });
});

for (const [role, caller, refused] of [
  ["OWNER", "ann", "{ auditLog { nodes { id } } }"],
  ["WORKER", "worker", "{ jobs { nodes { id } } }"],
  ["OPERATOR", "operator", 'mutation { claimAttempts(input: { workerId: "w", providers: ["laser"] }) { __typename } }'],
] as const) {
  promise(`Role.${role}`, "is the caller's, and does not open what needs another", async () => {
    expect(await world.as(caller).ask("{ viewer { roles } }")).toEqual({ viewer: { roles: [role] } });
    expect(await refusalOf(world.as(caller).ask(refused))).toMatchObject({ code: "FORBIDDEN" });
  });
}

const auditLog = async (given: string, selection = pageSelection) =>
  (await world.operator.ask<{ auditLog: PageSeen }>(`{ auditLog(${given}) ${selection} }`)).auditLog;

/** The entries of olga's acts in beforeAll, oldest first. */
async function entries(selection: string): Promise<Fields[]> {
  const { nodes } = await auditLog("first: 100", `{ nodes { ${selection} } }`);
  return (nodes as unknown as Fields[]).toReversed();
}
const actions = ["pauseProvider", "resumeProvider", "cancelJobs", "resolveAttempt"];

promise("Query.auditLog", "is what operators did, newest first, and for them alone", async () => {
  const { nodes } = await auditLog("first: 100", "{ nodes { action } }");
  expect(nodes).toEqual(actions.toReversed().map((action) => ({ action })));
  expect(await refusalOf(world.ann.ask("{ auditLog { nodes { id } } }"))).toMatchObject({ code: "FORBIDDEN" });
});

promise("Query.auditLog(actor:)", "leaves the acts of one operator", async () => {
  expect((await auditLog('actor: "olga"')).nodes).toHaveLength(4);
  expect((await auditLog('actor: "otto"')).nodes).toEqual([]);
});

promisePages(promise, "Query.auditLog", auditLog);
promiseConnection(promise, "AuditEntry", auditLog);

promise("AuditEntry.id", "is a TypeID, by which node finds the entry", async () => {
  const [entry] = await entries("id");
  expect(entry?.["id"]).toMatch(/^audit_/);
  expect(await look(world.operator, String(entry?.["id"]), "id")).toBe(entry?.["id"]);
});

promise("AuditEntry.at", "is the moment of the act", async () => {
  const moments = (await entries("at")).map((entry) => String(entry["at"]));
  for (const at of moments) expect(at).toMatch(instant);
  expect(moments.at(-1)).toBe(await look(world.ann, settled.attemptId, "finishedAt"));
});

promise("AuditEntry.actor", "is the operator", async () => {
  for (const entry of await entries("actor")) expect(entry).toEqual({ actor: "olga" });
});

promise("AuditEntry.action", "is the mutation's name", async () => {
  expect(await entries("action")).toEqual(actions.map((action) => ({ action })));
});

promise("AuditEntry.targetId", "is what the act was on, and null for an act on many", async () => {
  const targets = (await entries("targetId")).map((entry) => entry["targetId"]);
  expect(targets).toEqual(["prov_laser", "prov_laser", null, settled.attemptId]);
});

promise("AuditEntry.reason", "is the operator's, null where none was asked for", async () => {
  const reasons = (await entries("reason")).map((entry) => entry["reason"]);
  expect(reasons).toEqual(["no toner", null, "the shop closes", "seen"]);
});

promise("AuditEntry.detail", "holds what else there is to say, null where there is nothing", async () => {
  const details = (await entries("detail")).map((entry) => entry["detail"]);
  expect(details[0]).toBeNull();
  expect(details[3]).toEqual({ outcome: "FAILED", remedy: "OTHER_PROVIDER" });
});
