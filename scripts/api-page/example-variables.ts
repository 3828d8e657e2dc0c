/**
 * Variables with which each document of schema/operations is worth sending: those of the page. They are the print shop's,
 * as in the demo; the ids are well formed and name nothing.
 */
import type { Json } from "../../src/domain/json.ts";
import { exampleIds } from "./example-ids.ts";

const { Job: jobId, Attempt: attemptId, Certification: certificationId } = exampleIds;
const leaseToken = "the token that claimAttempts gave";

const menu = {
  idempotencyKey: "order-1042",
  operation: "print",
  input: { text: "Menu", copies: 2 },
};

/** By the document's name; a document that is not here takes no variables. */
export const exampleVariables: Readonly<Record<string, { readonly [name: string]: Json }>> = {
  node: { id: exampleIds.Operation },
  job: { id: jobId },
  "job-by-key": { idempotencyKey: menu.idempotencyKey },
  jobs: { filter: { states: ["FAILED", "UNKNOWN"], operation: "print" }, first: 20 },
  attempt: { id: attemptId },
  attempts: { filter: { states: ["UNKNOWN"], effectUncertain: true }, reverse: true, first: 20 },
  certifications: { operation: "print", first: 20 },
  "audit-log": { first: 20 },
  "create-job": { input: { ...menu, provider: "laser", metadata: { table: 4 } } },
  "create-jobs": {
    input: {
      jobs: [
        { ...menu, idempotencyKey: "order-1043" },
        { ...menu, idempotencyKey: "order-1044", priority: 10 },
      ],
    },
  },
  "retry-job": { input: { jobId, afterAttemptId: attemptId } },
  "create-job-token": { input: { jobId, mayCancel: true, expiresInSeconds: 3_600 } },
  "cancel-attempt": { input: { attemptId, reason: "The printer was switched off." } },
  "cancel-job": { input: { jobId, reason: "The guest has left." } },
  "cancel-jobs": { input: { filter: { operation: "print", states: ["QUEUED"] }, reason: "The shop is closed." } },
  "resolve-attempt": {
    input: { attemptId, outcome: "SUCCEEDED", result: { pages: 2 }, evidence: "Two sheets lie in the tray." },
  },
  "look-up-attempt": { input: { attemptId, reason: "The customer is at the counter." } },
  "claim-attempts": {
    input: { workerId: "worker-7", providers: ["inkjet"], limit: 1, claimKey: "worker-7-claim-311", waitMs: 0 },
  },
  "mark-attempt-running": { input: { attemptId, leaseToken, providerRequestId: "spool-88" } },
  "heartbeat-attempt": { input: { attemptId, leaseToken, progress: { fraction: 0.5, message: "1 of 2 sheets" } } },
  "complete-attempt": { input: { attemptId, leaseToken, result: { pages: 2 } } },
  "fail-attempt": {
    input: { attemptId, leaseToken, certainty: "DEFINITE", code: "OUT_OF_PAPER", message: "The tray is empty." },
  },
  "pause-provider": { input: { provider: "laser", reason: "The toner is being changed." } },
  "resume-provider": { input: { provider: "laser" } },
  "release-key": { input: { ownerId: "ann", idempotencyKey: menu.idempotencyKey, reason: "Asked for by the owner." } },
  "certify-provider": { input: { operation: "print", provider: "laser" } },
  "revoke-certification": { input: { certificationId, reason: "The firmware was changed." } },
  "job-updated": { id: jobId },
  "job-events": { jobId, after: 0 },
  "attempt-updated": { jobId },
  "jobs-updated": { filter: { operation: "print" } },
  "certification-updated": { id: certificationId },
};
