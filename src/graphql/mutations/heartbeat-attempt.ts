/** The mutation heartbeatAttempt: a worker extends its lease, reports progress and learns of a cancellation. */
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import type { Member } from "../refusals.ts";
import { AttemptRef } from "../types/refs.ts";
import * as Types from "../types/refusals.ts";
import { attemptOf } from "../types/successes.ts";
import { answerAfter } from "./answer-after.ts";
import { rangeIssues, textIssues } from "./check-text.ts";
import { prepareReport, refuseReport } from "./report.ts";

const ProgressInput = builder.inputType("ProgressInput", {
  fields: (t) => ({ fraction: t.float(), message: t.string() }),
});

const HeartbeatAttemptInput = builder.inputType("HeartbeatAttemptInput", {
  fields: (t) => ({
    attemptId: t.id({ required: true }),
    leaseToken: t.string({ required: true }),
    progress: t.field({ type: ProgressInput }),
  }),
});

type Success = Member<
  "HeartbeatAttemptSuccess",
  { readonly attemptId: string; readonly leaseExpiresAt: Date | null; readonly leaseMs: number }
>;

const HeartbeatAttemptSuccessRef = builder.objectRef<Success>("HeartbeatAttemptSuccess").implement({
  description: "Also the answer about an UNKNOWN attempt: go on, since a late result still counts.",
  fields: (t) => ({
    attempt: t.field({ type: AttemptRef, resolve: attemptOf }),
    leaseExpiresAt: t.expose("leaseExpiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Null for an UNKNOWN attempt, which holds no lease any more.",
    }),
    leaseMs: t.exposeInt("leaseMs", { description: "Beat again within this time." }),
  }),
});

const HeartbeatAttemptResult = builder.unionType("HeartbeatAttemptResult", {
  types: [
    HeartbeatAttemptSuccessRef,
    Types.AttemptClosedRef,
    Types.LeaseLostRef,
    Types.InvalidInputRef,
    Types.NotFoundRef,
  ],
});

async function heartbeatAttempt(input: typeof HeartbeatAttemptInput.$inferInput, context: RequestContext) {
  const { fraction = null, message = null } = input.progress ?? {};
  const report = prepareReport(context, input, [
    ...rangeIssues("/progress/fraction", fraction, 0, 1),
    ...textIssues("/progress/message", message, { max: 1_000 }),
  ]);
  if ("__typename" in report) return report;
  const progress = input.progress ? { fraction, message } : null;
  const said = await context.store.heartbeat({ ...report, progress });
  if (said.kind !== "beating") return refuseReport(context, said);
  const { attemptId, leaseExpiresAt, leaseMs } = said;
  return { __typename: "HeartbeatAttemptSuccess" as const, attemptId, leaseExpiresAt, leaseMs };
}

builder.mutationField("heartbeatAttempt", (t) =>
  t.field({
    type: HeartbeatAttemptResult,
    description: "Workers: extend the lease, report progress, learn of a cancellation.",
    args: { input: t.arg({ type: HeartbeatAttemptInput, required: true }) },
    resolve: (_root, { input }, context) => answerAfter(context, heartbeatAttempt(input, context)),
  }),
);
