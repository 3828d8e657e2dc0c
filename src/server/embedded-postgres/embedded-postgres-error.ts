// The one error that starting the embedded PostgreSQL throws on purpose. Not for faults of a database that already runs.

/** What is wrong, for callers that decide by it; the message says the same to a person. */
export type EmbeddedPostgresFault =
  | "IN_USE" // another process owns the data folder
  | "DISK_FULL" // no space, quota or file-size limit
  | "UNWRITABLE" // the data folder cannot be created, written or entered
  | "NO_ACCOUNT" // no user that PostgreSQL would agree to run as
  | "OTHER_VERSION" // the data were written by another major version
  | "INCOMPLETE" // the data, or the record of where they are, lead nowhere
  | "UNSUPPORTED" // no binaries that run on this platform
  | "FAILED"; // anything else, with PostgreSQL's own last lines

/** Its message is one line: what is wrong, where, and what to do. */
export class EmbeddedPostgresError extends Error {
  readonly fault: EmbeddedPostgresFault;

  constructor(fault: EmbeddedPostgresFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EmbeddedPostgresError";
    this.fault = fault;
  }
}
