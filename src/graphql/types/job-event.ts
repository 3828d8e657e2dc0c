/** Events of a job's log, as a type of the API. */
import { encodeId } from "../../store/ids.ts";
import { loadAttempt, loadJob } from "../load.ts";
import { AttemptStateEnum, EventCauseEnum, JobEventTypeEnum, JobStateEnum } from "./enums.ts";
import { AttemptRef, JobEventRef, JobRef } from "./refs.ts";

JobEventRef.implement({
  fields: (t) => ({
    jobId: t.id({ resolve: (event) => encodeId("job", event.jobId) }),
    number: t.exposeInt("number", {
      description: "1, 2, 3 … within the job, without gaps, in the order in which the changes were committed.",
    }),
    type: t.expose("type", { type: JobEventTypeEnum }),
    jobState: t.expose("jobState", { type: JobStateEnum, description: "The states right after this event." }),
    attempt: t.field({
      type: AttemptRef,
      nullable: true,
      resolve: ({ attemptId }, _arguments, context) => (attemptId === null ? null : loadAttempt(context, attemptId)),
    }),
    attemptState: t.expose("attemptState", { type: AttemptStateEnum, nullable: true }),
    cause: t.expose("cause", { type: EventCauseEnum }),
    actor: t.exposeString("actor", {
      nullable: true,
      description: "Who, where it was a caller: the token's subject, or the workerId.",
    }),
    detail: t.expose("detail", { type: "JSON", nullable: true }),
    at: t.expose("at", { type: "DateTime" }),
    job: t.field({
      type: JobRef,
      description: "The job as it is now.",
      resolve: ({ jobId }, _arguments, context) => loadJob(context, jobId),
    }),
  }),
});
