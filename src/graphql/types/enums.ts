/** The enums of the API. Their values are the domain's own; `satisfies` holds the two together, in both directions. */
import type { EventCause, JobEventType } from "../../domain/event.ts";
import { eventCauses } from "../../domain/event.ts";
import type { AttemptState, JobState } from "../../domain/lifecycle.ts";
import type { EffectClass } from "../../domain/operation.ts";
import type { Remedy } from "../../domain/outcome.ts";
import { errorCodes, type NotCertifiedReason } from "../../domain/refusal.ts";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import type { Role } from "../context.ts";

/** The values of an enum, each with its description where it has one. */
type Described<Value extends string> = Record<Value, { readonly description?: string }>;

export const ErrorCodeEnum = builder.enumType("ErrorCode", { values: errorCodes });

export const JobStateEnum = builder.enumType("JobState", {
  values: {
    QUEUED: { description: "An attempt waits for a worker or for its start time." },
    RUNNING: { description: "An attempt is starting or running." },
    UNKNOWN: { description: "An attempt's outcome is not known. No other attempt may start." },
    SUCCEEDED: { description: "An attempt has won the result slot. Final." },
    FAILED: { description: "The last attempt ended without a result and none is due. retryJob may start another." },
    CANCELLED: { description: "The intent was withdrawn. Final." },
  } as const satisfies Described<JobState>,
});

export const AttemptStateEnum = builder.enumType("AttemptState", {
  values: {
    QUEUED: { description: "Waits for a worker. Nothing has been sent." },
    STARTING: { description: "Claimed by a worker; the request may be on its way to the provider." },
    RUNNING: { description: "The provider has taken the request." },
    UNKNOWN: {
      description: "Timed out, or its worker was lost: the provider may still be at work. Blocks every new attempt.",
    },
    SUCCEEDED: { description: "Won the job's result slot." },
    FAILED: { description: "Known to have ended without an effect that counts." },
    CANCELLED: { description: "Withdrawn from outside. A result that still arrives is discarded." },
  } as const satisfies Described<AttemptState>,
});

export const RemedyEnum = builder.enumType("Remedy", {
  description: "What may help after a certain failure.",
  values: {
    NONE: { description: "The intent itself was refused: no attempt will do better." },
    OTHER_PROVIDER: { description: "This provider will not do it (payment required, no such model); another may." },
    SAME_PROVIDER: { description: "Made again later it may succeed." },
  } as const satisfies Described<Remedy>,
});

export const JobEventTypeEnum = builder.enumType("JobEventType", {
  values: {
    JOB_CREATED: {},
    ATTEMPT_QUEUED: {},
    ATTEMPT_STARTING: {},
    ATTEMPT_RUNNING: {},
    ATTEMPT_UNKNOWN: {},
    ATTEMPT_SUCCEEDED: {},
    ATTEMPT_FAILED: {},
    ATTEMPT_CANCELLED: {},
    RESULT_DISCARDED: { description: "A late result was thrown away: the record of a lost race." },
    FAILOVER_REFUSED: { description: "Failover was due, and the fallback is not certified." },
    JOB_SUCCEEDED: {},
    JOB_FAILED: {},
    JOB_CANCELLED: {},
  } as const satisfies Described<JobEventType>,
});

export const EventCauseEnum = builder.enumType("EventCause", { values: eventCauses satisfies readonly EventCause[] });

export const EffectClassEnum = builder.enumType("EffectClass", {
  values: {
    PURE: { description: "Costs time and money, changes nothing." },
    KEYED: { description: "The provider is proven to act once per idempotency key." },
    QUERYABLE: { description: "What became of an attempt can be looked up at the provider." },
    BLIND: { description: "Neither. Never fails over by itself." },
  } as const satisfies Described<EffectClass>,
});

export const CertificationStatusEnum = builder.enumType("CertificationStatus", {
  values: {
    RUNNING: {},
    PASSED: {},
    FAILED: {},
    INCONCLUSIVE: {
      description:
        "The run could not judge: the provider was out of reach or the run broke off. Neither proof nor verdict.",
    },
    EXPIRED: { description: "Passed once, and is too old now. Computed when read, by the database's clock." },
    REVOKED: {},
  } as const satisfies Described<Certification["status"]>,
});

export const NotCertifiedReasonEnum = builder.enumType("NotCertifiedReason", {
  values: {
    NEVER_RUN: {},
    STILL_RUNNING: {},
    FAILED: {},
    INCONCLUSIVE: {},
    EXPIRED: {},
    REVOKED: {},
    CONTRACT_CHANGED: { description: "The operation's contract is not the one that was certified." },
    PROVIDER_CHANGED: {
      description: "The provider's model, endpoint or parameters are not those that were certified.",
    },
  } as const satisfies Described<NotCertifiedReason>,
});

export const RoleEnum = builder.enumType("Role", {
  values: { OWNER: {}, WORKER: {}, OPERATOR: {} } as const satisfies Described<Role>,
});

export const ResolvedOutcomeEnum = builder.enumType("ResolvedOutcome", { values: ["SUCCEEDED", "FAILED"] as const });

export const CertaintyEnum = builder.enumType("Certainty", { values: ["DEFINITE", "UNCERTAIN"] as const });
