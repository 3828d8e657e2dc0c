/** Progress and failure of an attempt, as types of the API. */
import type { Progress } from "../../domain/job.ts";
import type { Failure } from "../../domain/outcome.ts";
import { builder } from "../builder.ts";
import { RemedyEnum } from "./enums.ts";

export const ProgressRef = builder.objectRef<Progress>("Progress").implement({
  fields: (t) => ({
    fraction: t.exposeFloat("fraction", { nullable: true, description: "0 to 1; null while the total is not known." }),
    message: t.exposeString("message", { nullable: true }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

export const FailureRef = builder.objectRef<Failure>("Failure").implement({
  fields: (t) => ({
    code: t.exposeString("code", {
      description: "A short code that programs can match, such as PROVIDER_REJECTED or DEADLINE_EXCEEDED.",
    }),
    message: t.exposeString("message"),
    remedy: t.expose("remedy", { type: RemedyEnum }),
  }),
});
