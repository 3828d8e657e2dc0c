/** Certifications and their checks, as types of the API. It certifies nothing. */

import { encodeId } from "../../store/ids.ts";
import type { CertificationCheck } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { operationNamed, providerNamed } from "./configured.ts";
import { CertificationStatusEnum } from "./enums.ts";
import { CertificationRef, NodeRef, OperationRef, ProviderRef } from "./refs.ts";

const dropped = "As configured now; null once the configuration has dropped it.";

export const CertificationCheckRef = builder.objectRef<CertificationCheck>("CertificationCheck").implement({
  fields: (t) => ({
    code: t.exposeString("code", {
      description:
        "Which rule: output.schema, prompt.canary.head, repeat.invariants, transport.requests_per_attempt, semantic.golden …",
    }),
    caseName: t.exposeString("caseName", {
      nullable: true,
      description: "The golden case, for a check that belongs to one.",
    }),
    passed: t.exposeBoolean("passed"),
    runs: t.exposeInt("runs"),
    failures: t.exposeInt("failures"),
    path: t.exposeString("path", {
      nullable: true,
      description: "For a check that failed: where, what was required, and what came.",
    }),
    required: t.exposeString("required", { nullable: true }),
    observed: t.exposeString("observed", { nullable: true }),
  }),
});

CertificationRef.implement({
  description: "The proof that a provider fulfils an operation's contract.",
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (certification) => encodeId("cert", certification.id) }),
    operationName: t.exposeString("operation"),
    operationVersion: t.exposeInt("operationVersion"),
    contractDigest: t.exposeString("contractDigest"),
    operation: t.field({
      type: OperationRef,
      nullable: true,
      description: dropped,
      resolve: ({ operation }, _arguments, context) => operationNamed(operation, context),
    }),
    providerName: t.exposeString("provider"),
    providerRevision: t.exposeString("providerRevision"),
    provider: t.field({
      type: ProviderRef,
      nullable: true,
      description: dropped,
      resolve: ({ provider }, _arguments, context) => providerNamed(provider, context),
    }),
    status: t.expose("status", { type: CertificationStatusEnum }),
    checks: t.field({
      type: [CertificationCheckRef],
      resolve: ({ id }, _arguments, { loaders }) => loaders.certificationChecks.load(id),
    }),
    requestedBy: t.exposeString("requestedBy"),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
    revokedBy: t.exposeString("revokedBy", { nullable: true }),
    revokedReason: t.exposeString("revokedReason", { nullable: true }),
  }),
});
