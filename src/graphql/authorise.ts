/** Who may do what, as questions about the viewer. It reads no rows: what a scope hides, the store leaves out. */
import type { GraphQLError } from "graphql";
import type { Scope } from "../store/commands.ts";
import type { JobGrant, RequestContext, Role, Viewer } from "./context.ts";
import { forbidden } from "./errors.ts";
import type { Sight } from "./loaders.ts";

export function isOperator(viewer: Viewer): boolean {
  return viewer.roles.has("OPERATOR");
}

/** Which jobs the viewer may name: every owner's for an operator, else the viewer's own. */
export function scopeOf(viewer: Viewer): Scope {
  return isOperator(viewer) ? null : viewer.ownerId;
}

export function sightOf(viewer: Viewer): Sight {
  return { scope: scopeOf(viewer), onlyJobId: viewer.onlyJob?.jobId ?? null };
}

/** Whether the viewer's token leaves the job to be named. Whose it is, is the scope's to say. */
export function mayName({ onlyJob }: Viewer, jobId: string): boolean {
  return onlyJob === null || onlyJob.jobId === jobId;
}

interface OwnedJob {
  readonly id: string;
  readonly ownerId: string;
}

/** Whether the job is the viewer's to see in full. A worker sees of it what its attempt needs. */
export function maySee(viewer: Viewer, job: OwnedJob): boolean {
  if (isOperator(viewer)) return true;
  if (job.ownerId !== viewer.ownerId) return false;
  return viewer.onlyJob === null ? viewer.roles.has("OWNER") : viewer.onlyJob.jobId === job.id;
}

export function mayRetry(viewer: Viewer, job: OwnedJob): boolean {
  return maySee(viewer, job) && (viewer.onlyJob === null || viewer.onlyJob.mayRetry);
}

export function mayCancel(viewer: Viewer, job: OwnedJob): boolean {
  return maySee(viewer, job) && (viewer.onlyJob === null || viewer.onlyJob.mayCancel);
}

/** Operations, providers and certifications, as configured and proven: every caller's to see, but not a job token's. */
export function maySeeConfiguration({ onlyJob }: Viewer): boolean {
  return onlyJob === null;
}

/** Throws FORBIDDEN unless the viewer has one of the roles. */
export function requireRole({ viewer }: RequestContext, ...roles: readonly Role[]): void {
  if (roles.some((role) => viewer.roles.has(role))) return;
  throw forbidden(`This needs the role ${roles.join(" or ")}: call it with a token that has it.`);
}

/** For what concerns jobs: their owners, and operators. */
export function requireOwnerOrOperator(context: RequestContext): void {
  requireRole(context, "OWNER", "OPERATOR");
}

/** For what concerns one job that the call names: the same, and the token for that job. */
export function requireOwnerOperatorOrJobToken(context: RequestContext): void {
  if (context.viewer.onlyJob === null) requireOwnerOrOperator(context);
}

export function requireSightOfConfiguration({ viewer }: RequestContext): void {
  if (!maySeeConfiguration(viewer)) throw onlyOneJob("The configuration");
}

/**
 * What a token for one job may ask for at the top of a document. Every other field is closed to it, whichever roles it asks
 * for, and so is a field that is added: guard-root-fields.ts asks before each of them.
 */
const openToJobTokens: Readonly<Record<string, (grant: JobGrant) => boolean>> = {
  "Query.viewer": () => true,
  "Query.job": () => true,
  "Query.attempt": () => true,
  "Query.node": () => true,
  "Mutation.retryJob": (grant) => grant.mayRetry,
  "Mutation.cancelJob": (grant) => grant.mayCancel,
  "Mutation.cancelAttempt": (grant) => grant.mayCancel,
  "Subscription.jobUpdated": () => true,
  "Subscription.jobEvents": () => true,
  "Subscription.attemptUpdated": () => true,
};

/** Throws FORBIDDEN for a job token at a field that is not open to it; `field` is such as `Query.jobs`. */
export function requireOpenToJobToken({ viewer }: RequestContext, field: string): void {
  const { onlyJob } = viewer;
  if (onlyJob === null || openToJobTokens[field]?.(onlyJob) === true) return;
  const name = field.replace(/^\w+\./, "");
  if (field in openToJobTokens)
    throw forbidden(
      `This token follows its job, and ${name} is not allowed to it: ask the job's owner for one that is.`,
    );
  throw onlyOneJob(name);
}

/** A job token asked for what is not its job's. */
function onlyOneJob(what: string): GraphQLError {
  return forbidden(`${what} is closed to a token for one job: it shows that job and nothing else.`);
}

/** The owner whose jobs are meant: an operator may name any (null for all of them), everyone else none but themselves. */
export function ownerInScope(viewer: Viewer, ownerId: string | null | undefined): string | null {
  if (isOperator(viewer)) return ownerId ?? null;
  if (ownerId !== null && ownerId !== undefined && ownerId !== viewer.ownerId) {
    throw forbidden("Only an operator may look into another owner's jobs: leave ownerId out.");
  }
  return viewer.ownerId;
}
