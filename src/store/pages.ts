/** How lists are asked for: filters, pages and keyset positions, as types; and how far they are counted. */
import type { Attempt, Job } from "../domain/job.ts";

/** Counting stops here: further on, only that there are more is worth knowing. */
export const maxCounted = 10_000;

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A keyset position: the sort instant and the id of a row. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  /** Rows wanted, counted from the front, or from the back with `fromEnd`. */
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly after: Position | null;
  readonly before: Position | null;
  /** Oldest first when true. */
  readonly ascending: boolean;
}

export interface JobFilter {
  readonly states?: readonly Job["state"][];
  readonly operation?: string;
  readonly provider?: string;
  readonly ownerId?: string;
  readonly idempotencyKey?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

export interface AttemptFilter {
  readonly states?: readonly Attempt["state"][];
  readonly operation?: string;
  readonly provider?: string;
  readonly ownerId?: string;
  readonly stateChangedBefore?: Date;
  readonly effectUncertain?: boolean;
}

export interface CertificationFilter {
  readonly operation?: string;
  readonly provider?: string;
}
