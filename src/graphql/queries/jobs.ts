/** The query jobs: a page of the jobs that the caller may see. */
import type { Job } from "../../domain/job.ts";
import { requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import { rememberJobs } from "../loaders.ts";
import { JobConnectionRef, pageArguments } from "../types/connections.ts";
import { JobFilterInput, jobFilter } from "../types/filters.ts";
import { pageOf, type SortedList } from "./page.ts";

const list: SortedList<Job> = { name: "jobs", kind: "job", instantOf: (job) => job.createdAt };

builder.queryField("jobs", (t) =>
  t.field({
    type: JobConnectionRef,
    description: "The caller's own jobs, newest first unless reversed; an operator sees every owner's.",
    args: {
      filter: t.arg({ type: JobFilterInput }),
      reverse: t.arg.boolean({ required: true, defaultValue: false }),
      ...pageArguments,
    },
    resolve: (_root, { filter: given, reverse, ...asked }, context) => {
      requireOwnerOrOperator(context);
      const { read } = context.store;
      const filter = jobFilter(context.viewer, given);
      return pageOf(list, asked, reverse, {
        page: async (request) => {
          const page = await read.jobPage(filter, request);
          rememberJobs(context.loaders, page.rows);
          return page;
        },
        count: () => read.jobCount(filter),
      });
    },
  }),
);
