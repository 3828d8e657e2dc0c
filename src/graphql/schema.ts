/** Gathers every type and field into the one schema. The order of the imports is the order in which the schema is printed. */
import "./scalars.ts";
import "./types/node.ts";
import "./types/enums.ts";
import "./types/job.ts";
import "./types/attempt.ts";
import "./types/outcome.ts";
import "./types/job-event.ts";
import "./types/operation.ts";
import "./types/provider.ts";
import "./types/certification.ts";
import "./queries/node.ts";
import "./queries/job.ts";
import "./queries/jobs.ts";
import "./queries/attempts.ts";
import "./queries/catalog.ts";
import "./queries/certifications.ts";
import "./queries/audit-log.ts";
import "./queries/viewer.ts";
import "./mutations/create-job.ts";
import "./mutations/create-jobs.ts";
import "./mutations/retry-job.ts";
import "./mutations/cancel-attempt.ts";
import "./mutations/cancel-job.ts";
import "./mutations/cancel-jobs.ts";
import "./mutations/resolve-attempt.ts";
import "./mutations/look-up-attempt.ts";
import "./mutations/claim-attempts.ts";
import "./mutations/mark-attempt-running.ts";
import "./mutations/heartbeat-attempt.ts";
import "./mutations/complete-attempt.ts";
import "./mutations/fail-attempt.ts";
import "./mutations/pause-provider.ts";
import "./mutations/resume-provider.ts";
import "./mutations/release-key.ts";
import "./mutations/create-job-token.ts";
import "./mutations/not-yet.ts";
import "./subscriptions/job-updated.ts";
import "./subscriptions/jobs-updated.ts";
import "./subscriptions/job-events.ts";
import "./subscriptions/attempt-updated.ts";
import "./subscriptions/not-yet.ts";
import type { GraphQLSchema } from "graphql";
import { builder } from "./builder.ts";
import { guardRootFields } from "./guard-root-fields.ts";

/** As declared, not sorted: it reads like the contract. */
export function buildOnejobSchema(): GraphQLSchema {
  return guardRootFields(builder.toSchema({ sortSchema: false }));
}
