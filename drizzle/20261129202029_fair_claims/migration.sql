CREATE TABLE "provider_paces" (
	"provider" text PRIMARY KEY,
	"starts" timestamp(3) with time zone[] NOT NULL,
	"window_ms" integer NOT NULL
);
--> statement-breakpoint
-- Attempts of before take their owner from their job; those that have ended refuse every change but this one.
ALTER TABLE "attempts" ADD COLUMN "owner_id" text;--> statement-breakpoint
ALTER TABLE "attempts" DISABLE TRIGGER "attempts_terminal";--> statement-breakpoint
UPDATE "attempts" a SET "owner_id" = j."owner_id" FROM "jobs" j WHERE j."id" = a."job_id";--> statement-breakpoint
ALTER TABLE "attempts" ENABLE TRIGGER "attempts_terminal";--> statement-breakpoint
ALTER TABLE "attempts" ALTER COLUMN "owner_id" SET NOT NULL;--> statement-breakpoint
DROP INDEX "attempts_waiting";--> statement-breakpoint
CREATE INDEX "attempts_waiting" ON "attempts" ("provider","owner_id","priority" DESC NULLS LAST,"run_at","operation","id") WHERE waiting;--> statement-breakpoint
DROP INDEX "attempts_held";--> statement-breakpoint
CREATE INDEX "attempts_held" ON "attempts" ("provider") WHERE held;--> statement-breakpoint
CREATE INDEX "attempts_due" ON "attempts" ("provider","run_at","operation","owner_id") WHERE waiting;