DROP INDEX "jobs_due";--> statement-breakpoint
ALTER TABLE "outgoing_webhooks" ADD COLUMN "slow_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outgoing_webhooks" ADD COLUMN "resting_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "jobs_due_by_kind" ON "jobs" USING btree ("kind","run_at") WHERE locked_by is null and failed_at is null;