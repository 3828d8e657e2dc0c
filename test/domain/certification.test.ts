/** The gate: which certifications let a provider take over, and the reason where none does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CertificationRecord, type GateQuestion, judgeGate } from "../../src/domain/certification.ts";

const question: GateQuestion = {
  operation: "print",
  operationVersion: 2,
  contractDigest: "c2",
  provider: "laser",
  providerRevision: "r2",
};

let made = 0;
function record(
  status: CertificationRecord["status"],
  changes: Partial<CertificationRecord> = {},
): CertificationRecord {
  made += 1;
  return { ...question, id: `cert-${made}`, status, ...changes };
}

const open = (one: CertificationRecord) => ({ open: true, reason: null, certificationId: one.id });
const shut = (one: CertificationRecord, reason: string) => ({ open: false, reason, certificationId: one.id });

test("a pass of this very contract at this very revision opens the gate", () => {
  const passed = record("PASSED");
  expect(judgeGate(question, [passed])).toEqual(open(passed));
});

test("without any certification the gate is shut: NEVER_RUN", () => {
  expect(judgeGate(question, [])).toEqual({ open: false, reason: "NEVER_RUN", certificationId: null });
});

test.each([
  ["RUNNING", "STILL_RUNNING"],
  ["FAILED", "FAILED"],
  ["INCONCLUSIVE", "INCONCLUSIVE"],
  ["EXPIRED", "EXPIRED"],
  ["REVOKED", "REVOKED"],
] as const)("a certification that is %s shuts it, with the reason %s", (status, reason) => {
  const one = record(status);
  expect(judgeGate(question, [one])).toEqual(shut(one, reason));
});

test.each([
  ["another version of the operation", { operationVersion: 1 }, "CONTRACT_CHANGED"],
  ["another digest of the contract", { contractDigest: "c1" }, "CONTRACT_CHANGED"],
  ["another revision of the provider", { providerRevision: "r1" }, "PROVIDER_CHANGED"],
  ["both another digest and another revision", { contractDigest: "c1", providerRevision: "r1" }, "CONTRACT_CHANGED"],
])("a pass for %s opens nothing, and the reason is told", (_, changes, reason) => {
  const old = record("PASSED", changes);
  expect(judgeGate(question, [old])).toEqual(shut(old, reason));
});

describe("of several", () => {
  test.each(["RUNNING", "INCONCLUSIVE"] as const)("a newer run that is %s leaves an older pass in force", (status) => {
    const passed = record("PASSED");
    expect(judgeGate(question, [record(status), passed])).toEqual(open(passed));
  });

  test.each(["FAILED", "REVOKED", "EXPIRED"] as const)("a newer one that is %s overrides an older pass", (status) => {
    const newer = record(status);
    expect(judgeGate(question, [newer, record("PASSED")])).toMatchObject({ open: false, certificationId: newer.id });
  });

  test.each(["FAILED", "REVOKED", "EXPIRED"] as const)("a newer pass overrides one that is %s", (status) => {
    const passed = record("PASSED");
    expect(judgeGate(question, [passed, record(status)])).toEqual(open(passed));
  });

  test("a newer failure for another contract or revision does not touch a pass for this one", () => {
    const passed = record("PASSED");
    const others = [record("FAILED", { contractDigest: "c3" }), record("REVOKED", { providerRevision: "r3" })];
    expect(judgeGate(question, [...others, passed])).toEqual(open(passed));
  });
});

test("the gate never opens but on a pass for exactly what was asked, whatever is on record", () => {
  const status = fc.constantFrom<CertificationRecord["status"]>(
    "RUNNING",
    "PASSED",
    "FAILED",
    "INCONCLUSIVE",
    "EXPIRED",
    "REVOKED",
  );
  const any = fc.record({
    id: fc.uuid(),
    status,
    operationVersion: fc.constantFrom(1, 2),
    contractDigest: fc.constantFrom("c1", "c2"),
    providerRevision: fc.constantFrom("r1", "r2"),
  });
  fc.assert(
    fc.property(fc.array(any.map((one) => ({ ...question, ...one }))), (records) => {
      const answer = judgeGate(question, records);
      if (!answer.open) return answer.reason !== null;
      const opener = records.find((one) => one.id === answer.certificationId);
      return (
        opener?.status === "PASSED" &&
        opener.operationVersion === 2 &&
        opener.contractDigest === "c2" &&
        opener.providerRevision === "r2"
      );
    }),
  );
});
