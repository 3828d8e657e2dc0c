/** The queries that the contract promises and this version does not answer: asking says NOT_AVAILABLE_YET. */
import { builder } from "../builder.ts";
import { notAvailableYet } from "../errors.ts";
import { AuditEntryConnectionRef, CertificationConnectionRef, pageArguments } from "../types/connections.ts";

builder.queryFields((t) => ({
  certifications: t.field({
    type: CertificationConnectionRef,
    description: "Newest first.",
    args: { operation: t.arg.string(), provider: t.arg.string(), ...pageArguments },
    resolve: () => {
      throw notAvailableYet("certifications");
    },
  }),
  auditLog: t.field({
    type: AuditEntryConnectionRef,
    description: "Operators: what operators did, newest first. Acts on a job are in its events as well.",
    args: { actor: t.arg.string(), ...pageArguments },
    resolve: () => {
      throw notAvailableYet("auditLog");
    },
  }),
}));
