/** The query node: whatever an id names, if the caller may see it. The id's prefix says what it is. */
import { decodeId, decodeName, kindOf } from "../../store/ids.ts";
import { requireOwnerOperatorOrJobToken, requireRole, requireSightOfConfiguration } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { asNode } from "../types/node.ts";
import { NodeRef } from "../types/refs.ts";

async function findNode(id: string, context: RequestContext): Promise<object | null> {
  const { catalog, loaders } = context;
  switch (kindOf(id)) {
    case "job": {
      requireOwnerOperatorOrJobToken(context);
      return asNode("Job", await load(loaders.visibleJob, decodeId("job", id)));
    }
    case "att": {
      requireOwnerOperatorOrJobToken(context);
      return asNode("Attempt", await load(loaders.visibleAttempt, decodeId("att", id)));
    }
    case "cert":
      requireSightOfConfiguration(context);
      return asNode("Certification", await load(loaders.certification, decodeId("cert", id)));
    case "op":
      requireSightOfConfiguration(context);
      return asNode("Operation", catalog.operations.get(decodeName("op", id) ?? "") ?? null);
    case "prov":
      requireSightOfConfiguration(context);
      return asNode("Provider", catalog.providers.get(decodeName("prov", id) ?? "") ?? null);
    case "audit": {
      requireRole(context, "OPERATOR");
      return asNode("AuditEntry", await load(loaders.auditEntry, decodeId("audit", id)));
    }
    // An unknown prefix names nothing.
    default:
      return null;
  }
}

async function load<Row>(loader: { load(id: string): Promise<Row | null> }, id: string | null): Promise<Row | null> {
  return id === null ? null : loader.load(id);
}

builder.queryField("node", (t) =>
  t.field({
    type: NodeRef,
    nullable: true,
    description:
      "Whatever an id names, found by its prefix; null where there is none, or it is not the caller's to see. Jobs and attempts are for owners and operators, entries of the audit log for operators, the rest for every caller.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => findNode(id, context),
  }),
);
