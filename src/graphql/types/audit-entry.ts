/** What operators did, as a type of the API. Nothing is read here. */
import { encodeId } from "../../store/ids.ts";
import type { AuditEntry } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { NodeRef } from "./refs.ts";

export const AuditEntryRef = builder.objectRef<AuditEntry>("AuditEntry").implement({
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (entry) => encodeId("audit", entry.id) }),
    at: t.expose("at", { type: "DateTime" }),
    actor: t.exposeString("actor"),
    action: t.exposeString("action", { description: "The mutation's name." }),
    targetId: t.exposeID("targetId", {
      nullable: true,
      description: "The job, attempt, certification or provider; null for an act on many.",
    }),
    reason: t.exposeString("reason", { nullable: true }),
    detail: t.expose("detail", { type: "JSON", nullable: true }),
  }),
});
