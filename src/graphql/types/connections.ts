/** The connections of the API, and the arguments that every one of them takes. */
import { builder } from "../builder.ts";
import { defaultPageSize, maxPageSize } from "../page-size.ts";
import { AuditEntryRef } from "./audit-entry.ts";
import { connectionOf } from "./connection.ts";
import { AttemptRef, CertificationRef, JobRef } from "./refs.ts";

export const JobConnectionRef = connectionOf("Job", JobRef, { counted: true });
export const AttemptConnectionRef = connectionOf("Attempt", AttemptRef, { counted: true });
export const CertificationConnectionRef = connectionOf("Certification", CertificationRef, { counted: false });
export const AuditEntryConnectionRef = connectionOf("AuditEntry", AuditEntryRef, { counted: false });

export const pageArguments = builder.args((t) => ({
  first: t.int({
    description: `The page's size, from the list's beginning: ${defaultPageSize} by default, at most ${maxPageSize}.`,
  }),
  after: t.string({ description: "The cursor of an edge: those behind it." }),
  last: t.int({ description: "The page's size, from the list's end; not together with first." }),
  before: t.string({ description: "The cursor of an edge: those in front of it." }),
}));
