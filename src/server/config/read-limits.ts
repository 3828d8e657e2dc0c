/** Reads how much one caller may ask for. Who refuses what is over a limit is named at each of them; nothing is refused here. */
import { z } from "zod";
import { maxResultBytes } from "../../domain/outcome.ts";
import { type Report, readShape, wholeNumber } from "./read-shape.ts";

/** The most that createJobs and cancelJobs ever take. */
const maxBatchSize = 1_000;
/** A claim may wait for 30 s, and wants an answer then. */
const leastOperationTimeoutMs = 35_000;
const dayMs = 86_400_000;

const shape = z.strictObject({
  /** Room for the largest result that may be stored, and for the call around it. */
  bodyBytes: wholeNumber(1_024, 1_073_741_824).default(1.25 * maxResultBytes),
  /** A page of the default size fits with the largest results. At the most, what JSON escapes sixfold still is one text. */
  answerBytes: wholeNumber(1_048_576, 67_108_864).default(32 * maxResultBytes),
  documentTokens: wholeNumber(100, 10_000).default(2_000),
  depth: wholeNumber(4, 100).default(16),
  aliases: wholeNumber(0, 10_000).default(50),
  complexity: wholeNumber(100, 1_000_000_000).default(300_000),
  batchSize: wholeNumber(1, maxBatchSize).default(maxBatchSize),
  subscriptionsPerConnection: wholeNumber(1, 1_000_000).default(1_000),
  subscriptionsPerOwner: wholeNumber(1, 1_000_000).default(10_000),
  connections: wholeNumber(1, 1_000_000).default(10_000),
  connectionsPerOwner: wholeNumber(1, 1_000_000).default(1_000),
  operationsPerOwner: wholeNumber(1, 100_000).default(64),
  creationsPerOwner: z
    .strictObject({ count: wholeNumber(1, 1_000_000), perMs: wholeNumber(1, dayMs) })
    .nullable()
    .default(null),
  operationTimeoutMs: wholeNumber(leastOperationTimeoutMs, dayMs).default(60_000),
  requestTimeoutMs: wholeNumber(1_000, dayMs).default(30_000),
});

export type Limits = Readonly<z.infer<typeof shape>>;

export const defaultLimits: Limits = shape.parse({});

export function readLimits(value: unknown, report: Report): Limits {
  return readShape(shape, value ?? {}, "limits", report) ?? defaultLimits;
}
