ALTER TABLE "blobs" ADD COLUMN "pending" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "removing_at" timestamp (3) with time zone;