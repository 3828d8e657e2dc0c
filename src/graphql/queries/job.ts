/** The queries job and jobByKey: one job, if it is the caller's to see. */
import { textFault } from "../../domain/json.ts";
import { decodeId } from "../../store/ids.ts";
import { ownerInScope, requireOwnerOperatorOrJobToken, requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import { JobRef } from "../types/refs.ts";

builder.queryField("job", (t) =>
  t.field({
    type: JobRef,
    nullable: true,
    description: "Null where there is none, or it is not the caller's to see.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => {
      requireOwnerOperatorOrJobToken(context);
      const jobId = decodeId("job", id);
      return jobId === null ? null : context.loaders.visibleJob.load(jobId);
    },
  }),
);

builder.queryField("jobByKey", (t) =>
  t.field({
    type: JobRef,
    nullable: true,
    description: "Finds the caller's own job after a lost response; an operator may name another owner.",
    args: { idempotencyKey: t.arg.string({ required: true }), ownerId: t.arg.string() },
    resolve: (_root, { idempotencyKey, ownerId }, context) => {
      requireOwnerOrOperator(context);
      const owner = ownerInScope(context.viewer, ownerId) ?? context.viewer.ownerId;
      // No job was ever recorded under what cannot be stored.
      const isStorable = [idempotencyKey, owner].every((text) => textFault(text) === null);
      return isStorable ? context.store.read.jobByKey(owner, idempotencyKey) : null;
    },
  }),
);
