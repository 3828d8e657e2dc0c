/**
 * What the fields of the API cost, as this server pays for them: statements and rows cost much, a column that was read with
 * its row next to nothing. It adds nothing up and refuses nothing. One unit is about one field of the answer.
 */
import { type GraphQLField, getNamedType, getNullableType, isCompositeType, isListType } from "graphql";
import type { Catalog } from "../domain/operation.ts";
import { defaultPageSize, maxPageSize } from "./page-size.ts";
import { maxEvents } from "./types/events-of-job.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that ask for the most of everything, for what an operation costs at the very most. */
export const mostArguments: Arguments = {
  first: Number.MAX_SAFE_INTEGER,
  last: Number.MAX_SAFE_INTEGER,
  input: { limit: Number.MAX_SAFE_INTEGER, jobs: Array.from({ length: 1_000 }, () => ({})) },
};

/** How many there are of what the configuration and the schema list. */
export interface Sizes {
  readonly operations: number;
  readonly providers: number;
  readonly providersOfOperation: number;
  readonly operationsOfProvider: number;
  readonly types: number;
}

export interface Cost {
  /** For each place in the document, however many rows it is asked for: what hangs on a list is read in one statement. */
  readonly once: number;
  /** For each item, beside what is asked of it. */
  readonly each: number;
  /** How many items the field may give; one, where it is no list. */
  readonly items?: (given: Arguments, sizes: Sizes) => number;
}

export const weights = {
  /** A field of the answer. */
  field: 1,
  /** To the database and back. */
  statement: 200,
  row: 5,
  /** A count goes through up to 10,000 rows. */
  count: 1_000,
  /** A row that is written, with its events, and what must be judged before. */
  write: 150,
} as const;

const { field, statement, row, count, write } = weights;
const free: Cost = { once: 0, each: 0 };
const plain: Cost = { once: 0, each: field };
const read: Cost = { once: statement, each: row };

function between(least: number, value: unknown, most: number): number {
  return typeof value === "number" ? Math.min(Math.max(value, least), most) : least;
}

/** What is over the limit of a page is refused by the field itself, with words of its own. */
const pageItems = ({ first, last }: Arguments) => between(0, last ?? first ?? defaultPageSize, maxPageSize);
const page: Cost = { once: statement, each: row, items: pageItems };
const ofInput = (given: Arguments) => (given["input"] ?? {}) as Arguments;
const limitOf = (given: Arguments) => between(1, ofInput(given)["limit"], 1_000);
const jobsOf = (given: Arguments) => between(1, [ofInput(given)["jobs"]].flat().length, 1_000);

/** Whatever gives one of these reads it, wherever it stands. */
const ofType: Readonly<Record<string, Cost>> = {
  Node: read,
  Job: read,
  Attempt: read,
  Certification: read,
  AuditEntry: read,
  JobEvent: read,
  JobConnection: page,
  AttemptConnection: page,
  CertificationConnection: page,
  AuditEntryConnection: page,
};

/** Inside a page everything has been read with it; how many there are was counted at the page. */
const inPage = /(Connection|Edge)\.(nodes|edges|node)$|^PageInfo\./;

/** What is more, or less, than its type says. */
const ofField: Readonly<Record<string, Cost>> = {
  "Query.operations": { ...plain, items: (_given, { operations }) => operations },
  "Query.providers": { ...plain, items: (_given, { providers }) => providers },
  "Operation.providers": { ...plain, items: (_given, { providersOfOperation }) => providersOfOperation },
  "Operation.gates": { ...read, items: (_given, { providersOfOperation }) => providersOfOperation },
  "Provider.operations": { ...plain, items: (_given, { operationsOfProvider }) => operationsOfProvider },
  "Provider.pausedAt": read,
  "Provider.pauseReason": read,
  "JobConnection.totalCount": { once: count, each: 0 },
  "AttemptConnection.totalCount": { once: count, each: 0 },
  "Job.progress": read,
  "Job.viewerCanRetry": { once: 2 * statement, each: row },
  "Attempt.viewerCanCancel": read,
  "Job.events": { ...read, items: ({ first, last }) => between(0, last ?? first, maxEvents) },
  "Certification.checks": { ...read, items: () => 20 },
  "ProviderNotCertified.failedChecks": { ...read, items: () => 20 },
  "InvalidInput.issues": { ...plain, items: () => 5 },
  "ResultRejected.issues": { ...plain, items: () => 5 },
  // Their lists are counted here, where the input says how long they may be.
  "Mutation.createJobs": { once: 2 * statement, each: write, items: jobsOf },
  // Each job is withdrawn as by cancelJob.
  "Mutation.cancelJobs": { once: 2 * statement, each: statement, items: limitOf },
  "Mutation.claimAttempts": { once: 2 * statement, each: write, items: limitOf },
  "CreateJobsSuccess.results": plain,
  "CancelJobsSuccess.jobs": read,
  "ClaimAttemptsSuccess.claims": plain,
  // Nothing is read for what the schema says of itself, and every type stands in it many times over.
  "__Schema.types": { ...plain, items: (_given, { types }) => types },
  "__Schema.directives": { ...plain, items: () => 6 },
  "__Type.fields": { ...plain, items: () => 10 },
  "__Type.inputFields": { ...plain, items: () => 10 },
  "__Type.enumValues": { ...plain, items: () => 10 },
  "__Type.interfaces": { ...plain, items: () => 2 },
  "__Type.possibleTypes": { ...plain, items: () => 10 },
  "__Field.args": { ...plain, items: () => 3 },
  "__Directive.args": { ...plain, items: () => 2 },
};

const change: Cost = { once: 2 * statement, each: write };

export function costOf(parent: string, { name, type }: Pick<GraphQLField<unknown, unknown>, "name" | "type">): Cost {
  const place = `${parent}.${name}`;
  const listed = ofField[place];
  if (listed !== undefined) return listed;
  if (inPage.test(place) || parent.startsWith("__")) return free;
  if (parent === "Mutation" && !name.startsWith("__")) return change;
  return ofType[getNamedType(type).name] ?? plain;
}

/** Whether the field gives several objects and nothing says how many: each would be taken for one. */
export function isUncounted(parent: string, { name, type }: GraphQLField<unknown, unknown>): boolean {
  const inner = getNullableType(type);
  const place = `${parent}.${name}`;
  return isListType(inner) && isCompositeType(getNamedType(type)) && !(place in ofField) && !inPage.test(place);
}

export function sizesOf({ operations, providers }: Catalog, types: number): Sizes {
  const lists = [...operations.values()].map((operation) => operation.providers);
  const named = [...providers.keys()].map((name) => lists.filter((list) => list.includes(name)).length);
  return {
    operations: operations.size,
    providers: providers.size,
    providersOfOperation: Math.max(1, ...lists.map((list) => list.length)),
    operationsOfProvider: Math.max(1, ...named),
    types,
  };
}

/** For a test: every place that has a cost of its own. */
export const listedPlaces: readonly string[] = Object.keys(ofField);
