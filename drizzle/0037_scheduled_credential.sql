ALTER TABLE "scheduled_messages" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD COLUMN "token_id" uuid;