/** Operations, providers and the gates between them, each field by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { certify } from "../../support/certify.ts";
import { contractConfig } from "../../support/contract-config.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await mutate(world.operator, "pauseProvider", { provider: "plotter", reason: "no ink" });
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Query.operations",
  "Query.providers",
  "Operation",
  "Provider",
  "EffectClass",
  "CertificationGate",
  "NotCertifiedReason",
);
const of = <Value = unknown>(id: string, selection: string) => look<Value>(world.ann, id, selection);

promise("Query.operations", "are those of the configuration, for every caller", async () => {
  const names = contractConfig.operations.map(({ name }) => ({ name }));
  for (const api of [world.ann, world.worker.api, world.operator])
    expect(await api.ask("{ operations { name } }")).toEqual({ operations: names });
});

promise("Query.providers", "are those of the configuration, for every caller", async () => {
  const names = contractConfig.providers.map(({ name }) => ({ name }));
  for (const api of [world.ann, world.worker.api, world.operator])
    expect(await api.ask("{ providers { name } }")).toEqual({ providers: names });
});

promise("Operation.id", "is op_ and the name", async () => {
  expect(await of("op_poster", "id")).toBe("op_poster");
});

promise("Operation.name", "is the configured one", async () => {
  expect(await of("op_poster", "name")).toBe("poster");
});

promise("Operation.version", "is the configured one, 1 by default", async () => {
  expect(await of("op_poster", "version")).toBe(7);
  expect(await of("op_steady", "version")).toBe(1);
});

promise("Operation.description", "is the configured one, null without one", async () => {
  expect(await of("op_poster", "description")).toBe("A large sheet.");
  expect(await of("op_steady", "description")).toBeNull();
});

const classes = { PURE: "preview", KEYED: "poster", QUERYABLE: "print", BLIND: "stamp" };

promise("Operation.effectClass", "is the configured one", async () => {
  for (const [effectClass, name] of Object.entries(classes))
    expect(await of(`op_${name}`, "effectClass")).toBe(effectClass);
});

for (const [effectClass, name] of Object.entries(classes)) {
  promise(`EffectClass.${effectClass}`, `is that of ${name}`, async () => {
    expect(await of(`op_${name}`, "effectClass")).toBe(effectClass);
  });
}

promise("Operation.contractDigest", "is one for each operation, in hexadecimal", async () => {
  const digests = await Promise.all(
    ["poster", "steady", "print"].map((name) => of<string>(`op_${name}`, "contractDigest")),
  );
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(digests).size).toBe(3);
});

promise("Operation.inputSchema", "is what an input must be, as JSON Schema 2020-12, objects closed", async () => {
  expect(await of("op_poster", "inputSchema")).toMatchObject({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  });
});

promise("Operation.outputSchema", "is what a result must be", async () => {
  expect(await of("op_poster", "outputSchema")).toMatchObject({
    type: "object",
    properties: { pages: { type: "integer", minimum: 1 } },
    required: ["pages"],
  });
});

promise("Operation.providers", "are the configured ones, the default first", async () => {
  expect(await of("op_steady", "providers { name }")).toEqual([{ name: "inkjet" }, { name: "laser" }]);
});

promise("Operation.gates", "are one for each provider", async () => {
  const gates = await of<Fields[]>("op_steady", "gates { provider { name } }");
  expect(gates).toEqual([{ provider: { name: "inkjet" } }, { provider: { name: "laser" } }]);
});

promise("Provider.id", "is prov_ and the name", async () => {
  expect(await of("prov_press", "id")).toBe("prov_press");
});

promise("Provider.name", "is the configured one", async () => {
  expect(await of("prov_press", "name")).toBe("press");
});

promise("Provider.description", "is the configured one, null without one", async () => {
  expect(await of("prov_press", "description")).toBe("Prints posters, and forgets them.");
  expect(await of("prov_inkjet", "description")).toBeNull();
});

promise("Provider.operations", "are those that name it", async () => {
  expect(await of("prov_press", "operations { name }")).toEqual([{ name: "poster" }]);
  expect(await of("prov_plotter", "operations { name }")).toEqual([{ name: "any" }, { name: "stamp" }]);
});

promise("Provider.revision", "is the configured one", async () => {
  expect(await of("prov_press", "revision")).toBe("heidelberg-2");
});

promise("Provider.pausedAt", "is since when it is paused, null while it is not", async () => {
  expect(await of("prov_plotter", "pausedAt")).toMatch(instant);
  expect(await of("prov_inkjet", "pausedAt")).toBeNull();
});

promise("Provider.pauseReason", "is why it is paused, null while it is not", async () => {
  expect(await of("prov_plotter", "pauseReason")).toBe("no ink");
  expect(await of("prov_inkjet", "pauseReason")).toBeNull();
});

/** The gate of an operation's provider, after this was put on record for the contract as it is. */
async function gateAfter(
  operation: string,
  provider: string,
  record: Omit<Parameters<typeof certify>[1] & object, "operation" | "provider"> | null,
  selection: string,
): Promise<Fields | undefined> {
  const contractDigest = await of<string>(`op_${operation}`, "contractDigest");
  if (record !== null) await certify(world.sql, { operation, provider, contractDigest, ...record });
  const gates = await of<Fields[]>(`op_${operation}`, `gates { provider { name } ${selection} }`);
  return gates.find((gate) => (gate["provider"] as Fields)["name"] === provider);
}

promise("CertificationGate.provider", "is the one that it is about", async () => {
  expect(await gateAfter("steady", "laser", null, "provider { id }")).toMatchObject({ provider: { id: "prov_laser" } });
});

promise("CertificationGate.open", "is whether a pass for this contract and revision is on record", async () => {
  expect(await gateAfter("quick", "laser", null, "open")).toMatchObject({ open: false });
  expect(await gateAfter("quick", "laser", {}, "open")).toMatchObject({ open: true });
});

promise("CertificationGate.reason", "says why not, and is null when open", async () => {
  expect(await gateAfter("brisk", "laser", null, "reason")).toMatchObject({ reason: "NEVER_RUN" });
  expect(await gateAfter("brisk", "laser", {}, "reason")).toMatchObject({ reason: null });
});

promise("CertificationGate.certification", "is the newest, null where there was none", async () => {
  expect(await gateAfter("preview", "laser", null, "certification { id }")).toMatchObject({ certification: null });
  expect(await gateAfter("preview", "laser", { status: "FAILED" }, "certification { status }")).toMatchObject({
    certification: { status: "FAILED" },
  });
});

const records = {
  NEVER_RUN: null,
  STILL_RUNNING: { status: "RUNNING" },
  FAILED: { status: "FAILED" },
  INCONCLUSIVE: { status: "INCONCLUSIVE" },
  EXPIRED: { status: "PASSED", expiresIn: "-1 second" },
  REVOKED: { status: "REVOKED" },
  CONTRACT_CHANGED: { status: "PASSED", contractDigest: "of another contract" },
  PROVIDER_CHANGED: { status: "PASSED", providerRevision: "0" },
} as const;

for (const [reason, record] of Object.entries(records)) {
  promise(`NotCertifiedReason.${reason}`, "is what such a record has the gate say", async () => {
    await world.sql`delete from certifications where operation = 'fragile'`;
    expect(await gateAfter("fragile", "laser", record, "open reason")).toMatchObject({ open: false, reason });
  });
}
