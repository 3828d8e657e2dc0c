/** Who may do what, as questions about the viewer. It reads no rows: what a scope hides, the store leaves out. */
import type { Scope } from "../store/commands.ts";
import type { RequestContext, Role, Viewer } from "./context.ts";
import { forbidden } from "./errors.ts";

export function isOperator(viewer: Viewer): boolean {
  return viewer.roles.has("OPERATOR");
}

/** Which jobs the viewer may name: every owner's for an operator, else the viewer's own. */
export function scopeOf(viewer: Viewer): Scope {
  return isOperator(viewer) ? null : viewer.ownerId;
}

/** Whether the job is the viewer's to see in full and to act on. A worker sees of it what its attempt needs. */
export function mayActOn(viewer: Viewer, job: { readonly ownerId: string }): boolean {
  return isOperator(viewer) || (viewer.roles.has("OWNER") && job.ownerId === viewer.ownerId);
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

/** The owner whose jobs are meant: an operator may name any (null for all of them), everyone else none but themselves. */
export function ownerInScope(viewer: Viewer, ownerId: string | null | undefined): string | null {
  if (isOperator(viewer)) return ownerId ?? null;
  if (ownerId !== null && ownerId !== undefined && ownerId !== viewer.ownerId) {
    throw forbidden("Only an operator may look into another owner's jobs: leave ownerId out.");
  }
  return viewer.ownerId;
}
