ALTER TABLE "smtp_settings" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "failure" text;