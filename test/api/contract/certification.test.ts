/** Certifications and their checks as they are read. The runs are put on record by hand: carrying them out is a later step. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { encodeId } from "../../../src/store/ids.ts";
import { type CertifyOptions, certify, revoke } from "../../support/certify.ts";
import { type PageSeen, pageSelection, promiseConnection, promisePages } from "../../support/contract-pages.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
/** The ids of runs on record, the oldest first: one that passed, one that failed over two checks, one revoked, one of what was dropped. */
let [passed, failed, revoked, former]: string[] = [];
beforeAll(async () => {
  world = await startWorld();
  const { sql } = world;
  const record = async (minute: number, options: CertifyOptions) => {
    const id = await certify(sql, options);
    await sql`update certifications set started_at = '2026-01-01T00:00:00Z'::timestamptz + ${minute} * interval '1 minute'
      where id = ${id}`;
    return id;
  };
  const rows = [
    await record(1, { expiresIn: "1 hour", contractDigest: "d1" }),
    await record(2, { status: "FAILED", provider: "plotter" }),
    await record(3, {}),
    await record(4, { operation: "fax", provider: "modem", operationVersion: 3, providerRevision: "r2" }),
  ] as const;
  await revoke(sql, rows[2]);
  await sql`update certifications set revoked_reason = 'it drifted' where id = ${rows[2]}`;
  await sql`update certifications set finished_at = started_at + interval '5 seconds' where id = ${rows[1]}`;
  await sql`insert into certification_checks (certification_id, ordinal, code, case_name, passed, runs, failures, path, required, observed)
    values (${rows[1]}, 1, 'output.schema', null, true, 5, 0, null, null, null),
      (${rows[1]}, 2, 'semantic.golden', 'menu', false, 5, 2, '/pages', '1', '2')`;
  [passed, failed, revoked, former] = rows.map((id) => encodeId("cert", id));
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Query.certifications",
  "Certification",
  "CertificationCheck",
  "CertificationStatus",
  "CertificationConnection",
  "CertificationEdge",
);
const of = <Value = unknown>(id: string | undefined, selection: string) => look<Value>(world.ann, id ?? "", selection);

const page = async (given: string) => {
  const document = `{ certifications${given && `(${given})`} ${pageSelection} }`;
  return (await world.ann.ask<{ certifications: PageSeen }>(document)).certifications;
};
const idsOf = async (given: string) => (await page(given)).nodes.map(({ id }) => id);

promise("Query.certifications", "are the runs on record, newest first", async () => {
  expect(await idsOf("")).toEqual([former, revoked, failed, passed]);
});

promise("Query.certifications(operation:)", "leaves an operation's", async () => {
  expect(await idsOf('operation: "fax"')).toEqual([former]);
});

promise("Query.certifications(provider:)", "leaves a provider's", async () => {
  expect(await idsOf('provider: "laser"')).toEqual([revoked, passed]);
});

promisePages(promise, "Query.certifications", page);
promiseConnection(promise, "Certification", page);

promise("Certification.id", "is a TypeID, by which node finds it", async () => {
  expect(passed).toMatch(/^cert_/);
  expect(await of(passed, "id")).toBe(passed);
});

const texts: readonly (readonly [field: string, ofFormer: unknown, ofPassed: unknown])[] = [
  ["operationName", "fax", "print"],
  ["operationVersion", 3, 1],
  ["contractDigest", "contract", "d1"],
  ["providerName", "modem", "laser"],
  ["providerRevision", "r2", "1"],
  ["requestedBy", "olga", "olga"],
];

for (const [field, ofFormer, ofPassed] of texts) {
  promise(`Certification.${field}`, "is as it was recorded, whatever is configured now", async () => {
    expect(await of(former, field)).toBe(ofFormer);
    expect(await of(passed, field)).toBe(ofPassed);
  });
}

promise("Certification.operation", "is the configured one, and null once it was dropped", async () => {
  expect(await of(passed, "operation { id }")).toEqual({ id: "op_print" });
  expect(await of(former, "operation { id }")).toBeNull();
});

promise("Certification.provider", "is the configured one, and null once it was dropped", async () => {
  expect(await of(passed, "provider { id }")).toEqual({ id: "prov_laser" });
  expect(await of(former, "provider { id }")).toBeNull();
});

promise("Certification.status", "is what the run came to, or what became of it since", async () => {
  expect(await of(passed, "status")).toBe("PASSED");
  expect(await of(revoked, "status")).toBe("REVOKED");
});

const statuses = {
  RUNNING: { status: "RUNNING" },
  PASSED: { status: "PASSED", expiresIn: "1 hour" },
  FAILED: { status: "FAILED" },
  INCONCLUSIVE: { status: "INCONCLUSIVE" },
  EXPIRED: { status: "PASSED", expiresIn: "-1 second" },
  REVOKED: { status: "REVOKED" },
} as const;

for (const [status, options] of Object.entries(statuses)) {
  promise(`CertificationStatus.${status}`, "is shown of a run with such a record", async () => {
    const id = await certify(world.sql, { operation: `of-${randomUUID()}`, ...options });
    expect(await of(encodeId("cert", id), "status")).toBe(status);
    // The lists of the other tests stay as they are.
    await world.sql`delete from certifications where id = ${id}`;
  });
}

promise("Certification.startedAt", "is when the run began", async () => {
  expect(await of(passed, "startedAt")).toBe("2026-01-01T00:01:00.000Z");
});

promise("Certification.finishedAt", "is when the run ended, null before", async () => {
  expect(await of(failed, "finishedAt")).toBe("2026-01-01T00:02:05.000Z");
  expect(await of(passed, "finishedAt")).toBeNull();
});

promise("Certification.expiresAt", "is when a pass is too old, null where it never is", async () => {
  expect(await of(passed, "expiresAt")).toMatch(instant);
  expect(await of(former, "expiresAt")).toBeNull();
});

promise("Certification.revokedAt", "is when it was revoked, null where it was not", async () => {
  expect(await of(revoked, "revokedAt")).toMatch(instant);
  expect(await of(passed, "revokedAt")).toBeNull();
});

promise("Certification.revokedBy", "is who revoked it, null where nobody did", async () => {
  expect(await of(revoked, "revokedBy")).toBe("olga");
  expect(await of(passed, "revokedBy")).toBeNull();
});

promise("Certification.revokedReason", "is why it was revoked, null where it was not", async () => {
  expect(await of(revoked, "revokedReason")).toBe("it drifted");
  expect(await of(passed, "revokedReason")).toBeNull();
});

promise("Certification.checks", "are those of the run, in order", async () => {
  expect(await of(failed, "checks { code }")).toEqual([{ code: "output.schema" }, { code: "semantic.golden" }]);
  expect(await of(passed, "checks { code }")).toEqual([]);
});

const checks: Readonly<Record<string, readonly [passed: unknown, failed: unknown]>> = {
  code: ["output.schema", "semantic.golden"],
  caseName: [null, "menu"],
  passed: [true, false],
  runs: [5, 5],
  failures: [0, 2],
  path: [null, "/pages"],
  required: [null, "1"],
  observed: [null, "2"],
};

for (const [field, values] of Object.entries(checks)) {
  promise(
    `CertificationCheck.${field}`,
    "is as it was recorded, of a check that passed and of one that failed",
    async () => {
      expect(await of(failed, `checks { ${field} }`)).toEqual(values.map((value) => ({ [field]: value })));
    },
  );
}
