/** Whether a provider may take an operation over, judged from the certifications on record. It runs none and reads no clock. */
import type { NotCertifiedReason } from "./refusal.ts";

export const certificationStatuses = ["RUNNING", "PASSED", "FAILED", "INCONCLUSIVE", "REVOKED"] as const;
/** EXPIRED is never stored: it is PASSED, read too late by the database's clock. */
export type CertificationStatus = (typeof certificationStatuses)[number] | "EXPIRED";

/** What is to be certain: this contract at this revision, as the asking process knows them. */
export interface GateQuestion {
  readonly operation: string;
  readonly operationVersion: number;
  readonly contractDigest: string;
  readonly provider: string;
  readonly providerRevision: string;
}

export interface CertificationRecord extends GateQuestion {
  readonly id: string;
  readonly status: CertificationStatus;
}

export interface GateAnswer {
  readonly open: boolean;
  /** Null when open. */
  readonly reason: NotCertifiedReason | null;
  /** The certification that opens the gate, or else the newest one; null where there was none. */
  readonly certificationId: string | null;
}

const reasonOf: Partial<Record<CertificationStatus, NotCertifiedReason>> = {
  RUNNING: "STILL_RUNNING",
  FAILED: "FAILED",
  INCONCLUSIVE: "INCONCLUSIVE",
  EXPIRED: "EXPIRED",
  REVOKED: "REVOKED",
};

/**
 * `records` are those of the same operation and provider, newest first. The newest verdict on this very contract and
 * revision counts; a run that is under way, or could not judge, neither opens the gate nor shuts it.
 */
export function judgeGate(question: GateQuestion, records: readonly CertificationRecord[]): GateAnswer {
  const [newest] = records;
  if (newest === undefined) return { open: false, reason: "NEVER_RUN", certificationId: null };
  const sameContract = records.filter(
    (one) => one.operationVersion === question.operationVersion && one.contractDigest === question.contractDigest,
  );
  const current = sameContract.filter((one) => one.providerRevision === question.providerRevision);
  const verdict = current.find((one) => one.status !== "RUNNING" && one.status !== "INCONCLUSIVE");
  if (verdict?.status === "PASSED") return { open: true, reason: null, certificationId: verdict.id };
  const shut = verdict ?? current[0];
  if (shut !== undefined)
    return { open: false, reason: reasonOf[shut.status] ?? "NEVER_RUN", certificationId: shut.id };
  const reason = sameContract.length > 0 ? "PROVIDER_CHANGED" : "CONTRACT_CHANGED";
  return { open: false, reason, certificationId: newest.id };
}
