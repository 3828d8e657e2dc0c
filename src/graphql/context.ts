/** What every resolver is given: who calls, and the parts of the system it may ask. It authenticates nobody: the server does. */
import type { Catalog } from "../domain/operation.ts";
import type { CancelAtProvider, ClaimDesk, Feed, LookUp } from "../runtime/ports.ts";
import type { CreationLimit } from "../store/commands.ts";
import type { Store } from "../store/store.ts";
import type { Loaders } from "./loaders.ts";

export type Role = "OWNER" | "WORKER" | "OPERATOR";

/** What a token for one job's page allows: to follow that job, and what it names beyond. */
export interface JobGrant {
  readonly jobId: string;
  readonly mayRetry: boolean;
  readonly mayCancel: boolean;
}

export interface Viewer {
  /** The token's subject. */
  readonly ownerId: string;
  readonly roles: ReadonlySet<Role>;
  /** Providers that a worker's token names; null for all. */
  readonly providers: readonly string[] | null;
  /** When the token ends, and with it every stream that it opened; null for one that does not. */
  readonly expiresAt: Date | null;
  /** Null for a caller who may name every job that the roles allow. */
  readonly onlyJob: JobGrant | null;
}

/** Signs a token that may follow one job in its owner's name, and no more than the grant says. */
export type SignJobToken = (asked: {
  readonly ownerId: string;
  readonly job: JobGrant;
  readonly expiresInSeconds: number;
}) => Promise<{ readonly token: string; readonly expiresAt: Date }>;

/** Of the configured limits those that resolvers hold callers to; the others are the transports' business. */
export interface ResolverLimits {
  /** Jobs of one createJobs or cancelJobs. */
  readonly batchSize: number;
  /** New jobs of one owner, over all servers; null for as many as they like. */
  readonly creationsPerOwner: CreationLimit | null;
}

export interface RequestContext {
  readonly viewer: Viewer;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly feed: Feed;
  readonly claims: ClaimDesk;
  readonly cancelAtProvider: CancelAtProvider;
  readonly lookUp: LookUp;
  /** Null where no secret for such tokens is configured. */
  readonly signJobToken: SignJobToken | null;
  readonly limits: ResolverLimits;
  /** The Idempotency-Key headers as they were sent: none, one, or more than a call may have. */
  readonly idempotencyKeyHeaders: readonly string[];
  /** W3C trace context of the call in the form of version 00, or null. */
  readonly traceparent: string | null;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | null;
  /** One per operation; one per event of a job for all its followers in a scope. A loader remembers what it has read. */
  loaders: Loaders;
}
