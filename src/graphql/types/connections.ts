/** The connections of the API, and the arguments that every one of them takes. */
import { builder } from "../builder.ts";
import { AuditEntryRef } from "./audit-entry.ts";
import { connectionOf } from "./connection.ts";
import { AttemptRef, CertificationRef, JobRef } from "./refs.ts";

export const JobConnectionRef = connectionOf("Job", JobRef, { counted: true });
export const AttemptConnectionRef = connectionOf("Attempt", AttemptRef, { counted: true });
export const CertificationConnectionRef = connectionOf("Certification", CertificationRef, { counted: false });
export const AuditEntryConnectionRef = connectionOf("AuditEntry", AuditEntryRef, { counted: false });

export const pageArguments = builder.args((t) => ({
  first: t.int(),
  after: t.string(),
  last: t.int(),
  before: t.string(),
}));
