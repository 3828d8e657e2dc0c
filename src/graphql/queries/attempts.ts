/** The queries attempt and attempts: one attempt, or a page of those at jobs that the caller may see. */
import type { Attempt } from "../../domain/job.ts";
import { decodeId } from "../../store/ids.ts";
import { requireOwnerOperatorOrJobToken, requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import { rememberAttempts } from "../loaders.ts";
import { AttemptConnectionRef, pageArguments } from "../types/connections.ts";
import { AttemptFilterInput, attemptFilter } from "../types/filters.ts";
import { AttemptRef } from "../types/refs.ts";
import { pageOf, type SortedList } from "./page.ts";

const list: SortedList<Attempt> = { name: "attempts", kind: "att", instantOf: (attempt) => attempt.stateChangedAt };

builder.queryField("attempt", (t) =>
  t.field({
    type: AttemptRef,
    nullable: true,
    description: "Null where there is none, or it is at a job that is not the caller's to see.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => {
      requireOwnerOperatorOrJobToken(context);
      const attemptId = decodeId("att", id);
      return attemptId === null ? null : context.loaders.visibleAttempt.load(attemptId);
    },
  }),
);

builder.queryField("attempts", (t) =>
  t.field({
    type: AttemptConnectionRef,
    description:
      "Attempts at the caller's own jobs, by stateChangedAt, newest first unless reversed; an operator sees every owner's.",
    args: {
      filter: t.arg({ type: AttemptFilterInput }),
      reverse: t.arg.boolean({ required: true, defaultValue: false }),
      ...pageArguments,
    },
    resolve: (_root, { filter: given, reverse, ...asked }, context) => {
      requireOwnerOrOperator(context);
      const { read } = context.store;
      const filter = attemptFilter(context.viewer, given);
      return pageOf(list, asked, reverse, {
        page: async (request) => {
          const page = await read.attemptPage(filter, request);
          rememberAttempts(context.loaders, page.rows);
          return page;
        },
        count: () => read.attemptCount(filter),
      });
    },
  }),
);
