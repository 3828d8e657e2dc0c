/** What the mutations by which workers report about an attempt have in common: who may, what proves the claim, what is refused. */
import type { InputIssue } from "../../domain/refusal.ts";
import { decodeId } from "../../store/ids.ts";
import type { ReportRefusal, WorkerReport } from "../../store/worker-commands.ts";
import { requireRole } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import {
  type AttemptClosed,
  attemptClosed,
  type InvalidInput,
  invalidInput,
  type LeaseLost,
  type NotFound,
  notFound,
} from "../refusals.ts";
import { textIssues } from "./check-text.ts";

export interface ReportInput {
  readonly attemptId: string;
  readonly leaseToken: string;
}

/** The report as the store takes it, or the refusal of what cannot even be asked. `issues` are those of the rest of the input. */
export function prepareReport(
  context: RequestContext,
  { attemptId: id, leaseToken }: ReportInput,
  issues: readonly InputIssue[] = [],
): WorkerReport | InvalidInput | NotFound {
  requireRole(context, "WORKER");
  const all = [...textIssues("/leaseToken", leaseToken, { min: 1, max: 200 }), ...issues];
  if (all.length > 0) return invalidInput(all);
  const attemptId = decodeId("att", id);
  if (attemptId === null) return notFound("attempt");
  const { ownerId, providers } = context.viewer;
  return { attemptId, leaseToken, providers, actor: { cause: "WORKER", name: ownerId } };
}

type Unclosed = Exclude<ReportRefusal, { readonly kind: "closed" }>;

export async function refuseReport(context: RequestContext, refusal: Unclosed): Promise<LeaseLost | NotFound>;
export async function refuseReport(
  context: RequestContext,
  refusal: ReportRefusal,
): Promise<AttemptClosed | LeaseLost | NotFound>;
export async function refuseReport(
  { loaders, viewer }: RequestContext,
  refusal: ReportRefusal,
): Promise<AttemptClosed | LeaseLost | NotFound> {
  if (refusal.kind === "not-found") return notFound("attempt");
  if (refusal.kind === "closed") return attemptClosed(refusal.attemptId, "stop working on it.");
  // An attempt that this caller never claimed is not the caller's to see, and neither is its job, which hangs on the answer.
  if ((await loaders.attempt.load(refusal.attemptId))?.claimedBy !== viewer.ownerId) return notFound("attempt");
  return {
    __typename: "LeaseLost",
    message: "This token is not the one under which the attempt was claimed: stop working on it, and claim another.",
    attemptId: refusal.attemptId,
  };
}
