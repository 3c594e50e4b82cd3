DROP INDEX "memberships_user";--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "is_silent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id","is_direct","is_silent");