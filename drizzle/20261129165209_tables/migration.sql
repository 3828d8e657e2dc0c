CREATE TYPE "attempt_state" AS ENUM('QUEUED', 'STARTING', 'RUNNING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "event_cause" AS ENUM('OWNER', 'WORKER', 'OPERATOR', 'DEADLINE', 'LEASE', 'RECONCILER', 'POLICY');--> statement-breakpoint
CREATE TYPE "job_event_type" AS ENUM('JOB_CREATED', 'ATTEMPT_QUEUED', 'ATTEMPT_STARTING', 'ATTEMPT_RUNNING', 'ATTEMPT_UNKNOWN', 'ATTEMPT_SUCCEEDED', 'ATTEMPT_FAILED', 'ATTEMPT_CANCELLED', 'RESULT_DISCARDED', 'FAILOVER_REFUSED', 'JOB_SUCCEEDED', 'JOB_FAILED', 'JOB_CANCELLED');--> statement-breakpoint
CREATE TYPE "job_state" AS ENUM('QUEUED', 'RUNNING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "certification_status" AS ENUM('RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE', 'REVOKED');--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY,
	"job_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"provider" text NOT NULL,
	"provider_revision" text NOT NULL,
	"operation" text NOT NULL,
	"priority" smallint DEFAULT 0 NOT NULL,
	"attempt_timeout_ms" integer NOT NULL,
	"lease_ms" integer NOT NULL,
	"state" "attempt_state" NOT NULL,
	"live" boolean GENERATED ALWAYS AS (state in ('QUEUED', 'STARTING', 'RUNNING', 'UNKNOWN')) STORED NOT NULL,
	"waiting" boolean GENERATED ALWAYS AS (state = 'QUEUED') STORED NOT NULL,
	"held" boolean GENERATED ALWAYS AS (state in ('STARTING', 'RUNNING')) STORED NOT NULL,
	"state_changed_at" timestamp(3) with time zone NOT NULL,
	"job_version" integer NOT NULL,
	"certification_id" uuid,
	"uncertified_by" text,
	"worker_id" text,
	"claimed_by" text,
	"claim_key" text,
	"claim_slot" integer,
	"lease_token" text,
	"lease_expires_at" timestamp(3) with time zone,
	"deadline_at" timestamp(3) with time zone,
	"run_at" timestamp(3) with time zone NOT NULL,
	"progress" jsonb,
	"provider_request_id" text,
	"failure" jsonb,
	"effect_uncertain" boolean DEFAULT false NOT NULL,
	"looked_up_at" timestamp(3) with time zone,
	"late_result_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone NOT NULL,
	"started_at" timestamp(3) with time zone,
	"finished_at" timestamp(3) with time zone,
	CONSTRAINT "attempts_job_number" UNIQUE("job_id","number"),
	CONSTRAINT "attempts_job_version" UNIQUE("job_id","job_version"),
	CONSTRAINT "attempts_job_and_id" UNIQUE("job_id","id"),
	CONSTRAINT "attempts_finished_when_over" CHECK (("state" in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = ("finished_at" is not null)),
	CONSTRAINT "attempts_lease_when_held" CHECK ("state" not in ('STARTING', 'RUNNING') or ("lease_token" is not null and "lease_expires_at" is not null and "deadline_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "job_events" (
	"job_id" uuid,
	"number" integer,
	"type" "job_event_type" NOT NULL,
	"job_state" "job_state" NOT NULL,
	"attempt_id" uuid,
	"attempt_state" "attempt_state",
	"cause" "event_cause" NOT NULL,
	"actor" text,
	"detail" jsonb,
	"result_digest" text,
	"at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "job_events_pkey" PRIMARY KEY("job_id","number")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY,
	"owner_id" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"given_digest" text NOT NULL,
	"resolved_digest" text NOT NULL,
	"digest_version" smallint NOT NULL,
	"operation" text NOT NULL,
	"operation_version" integer NOT NULL,
	"provider" text NOT NULL,
	"fallback_providers" text[] NOT NULL,
	"input" jsonb,
	"metadata" jsonb,
	"priority" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp(3) with time zone,
	"traceparent" text,
	"state" "job_state" NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"event_count" integer NOT NULL,
	"attempt_count" integer DEFAULT 1 NOT NULL,
	"latest_attempt" uuid NOT NULL,
	"completed_by" uuid,
	"result" jsonb,
	"failure" jsonb,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"closed_at" timestamp(3) with time zone,
	"purged_at" timestamp(3) with time zone,
	CONSTRAINT "jobs_owner_key" UNIQUE("owner_id","idempotency_key"),
	CONSTRAINT "jobs_slot_taken_when_succeeded" CHECK (("state" = 'SUCCEEDED') = ("completed_by" is not null)),
	CONSTRAINT "jobs_result_of_winner" CHECK ("result" is null or "completed_by" is not null),
	CONSTRAINT "jobs_closed_at_when_closed" CHECK (("state" in ('SUCCEEDED', 'CANCELLED')) = ("closed_at" is not null)),
	CONSTRAINT "jobs_key_length" CHECK (char_length("idempotency_key") between 1 and 255),
	CONSTRAINT "jobs_priority_range" CHECK ("priority" between -100 and 100),
	CONSTRAINT "jobs_counts" CHECK ("version" >= 1 and "event_count" >= 1 and "attempt_count" >= 1)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY,
	"at" timestamp(3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"target_id" text,
	"reason" text,
	"detail" jsonb
);
--> statement-breakpoint
CREATE TABLE "certification_checks" (
	"certification_id" uuid,
	"ordinal" integer,
	"code" text NOT NULL,
	"case_name" text,
	"passed" boolean NOT NULL,
	"runs" integer NOT NULL,
	"failures" integer NOT NULL,
	"path" text,
	"required" text,
	"observed" text,
	CONSTRAINT "certification_checks_pkey" PRIMARY KEY("certification_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "certifications" (
	"id" uuid PRIMARY KEY,
	"operation" text NOT NULL,
	"operation_version" integer NOT NULL,
	"contract_digest" text NOT NULL,
	"provider" text NOT NULL,
	"provider_revision" text NOT NULL,
	"status" "certification_status" NOT NULL,
	"requested_by" text NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"finished_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	"revoked_by" text,
	"revoked_reason" text
);
--> statement-breakpoint
CREATE TABLE "provider_settings" (
	"provider" text PRIMARY KEY,
	"paused_at" timestamp(3) with time zone,
	"paused_by" text,
	"pause_reason" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_live" ON "attempts" ("job_id") WHERE live;--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_claim_slot" ON "attempts" ("claimed_by","claim_key","claim_slot") WHERE claim_key is not null;--> statement-breakpoint
CREATE INDEX "attempts_waiting" ON "attempts" ("provider","priority" DESC NULLS LAST,"run_at","id") WHERE waiting;--> statement-breakpoint
CREATE INDEX "attempts_held" ON "attempts" ("deadline_at") WHERE held;--> statement-breakpoint
CREATE UNIQUE INDEX "job_events_one_discard" ON "job_events" ("attempt_id","result_digest") WHERE result_digest is not null;--> statement-breakpoint
CREATE INDEX "jobs_by_owner" ON "jobs" ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_by_time" ON "jobs" ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_by_time" ON "audit_log" ("at","id");--> statement-breakpoint
CREATE INDEX "certifications_newest" ON "certifications" ("operation","provider","started_at","id");--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_certification_id_certifications_id_fkey" FOREIGN KEY ("certification_id") REFERENCES "certifications"("id");--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_job" FOREIGN KEY ("job_id") REFERENCES "jobs"("id");--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_latest_attempt" FOREIGN KEY ("id","latest_attempt") REFERENCES "attempts"("job_id","id");--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_completed_by" FOREIGN KEY ("id","completed_by") REFERENCES "attempts"("job_id","id");--> statement-breakpoint
ALTER TABLE "certification_checks" ADD CONSTRAINT "certification_checks_certification_id_certifications_id_fkey" FOREIGN KEY ("certification_id") REFERENCES "certifications"("id");