/** The subscriptions that the contract promises and this version does not offer: starting one says NOT_AVAILABLE_YET. */

import type { Job } from "../../domain/job.ts";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { notAvailableYet, refuseSubscription } from "../errors.ts";
import { JobFilterInput } from "../types/filters.ts";
import { CertificationRef, JobRef } from "../types/refs.ts";

builder.subscriptionFields((t) => ({
  jobsUpdated: t.field({
    type: JobRef,
    description:
      "Changes of the caller's own jobs; an operator may watch every owner's. A job that stops matching the filter is sent once more. Begins with the next change, and after a break in the feed ends with the code RESYNC: query jobs after each (re)connect.",
    args: { filter: t.arg({ type: JobFilterInput }) },
    subscribe: (): AsyncIterable<Job> => {
      throw refuseSubscription(notAvailableYet("jobsUpdated"));
    },
    resolve: (job) => job,
  }),
  certificationUpdated: t.field({
    type: CertificationRef,
    description: "Certification runs, check by check.",
    args: { id: t.arg.id({ required: true }) },
    subscribe: (): AsyncIterable<Certification> => {
      throw refuseSubscription(notAvailableYet("certificationUpdated"));
    },
    resolve: (certification) => certification,
  }),
}));
