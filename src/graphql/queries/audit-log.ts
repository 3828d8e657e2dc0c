/** The query auditLog: a page of what operators did, for operators. */
import { textFault } from "../../domain/json.ts";
import type { AuditEntry } from "../../store/store.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import { badUserInput } from "../errors.ts";
import { AuditEntryConnectionRef, pageArguments } from "../types/connections.ts";
import { pageOf, type SortedList } from "./page.ts";

const list: SortedList<AuditEntry> = { name: "auditLog", kind: "audit", instantOf: (entry) => entry.at };

builder.queryField("auditLog", (t) =>
  t.field({
    type: AuditEntryConnectionRef,
    description: "Operators: what operators did, newest first. Acts on a job are in its events as well.",
    args: { actor: t.arg.string(), ...pageArguments },
    resolve: (_root, { actor, ...asked }, context) => {
      requireRole(context, "OPERATOR");
      const fault = textFault(actor ?? "");
      if (fault !== null) throw badUserInput(`actor ${fault}.`);
      return pageOf(list, asked, false, {
        page: (request) => context.store.read.auditPage(actor ?? null, request),
        count: async () => null,
      });
    },
  }),
);
