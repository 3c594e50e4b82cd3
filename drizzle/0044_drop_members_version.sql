-- Lists of members are not cached any more.
DROP TRIGGER "members_added" ON "memberships";--> statement-breakpoint
DROP TRIGGER "members_removed" ON "memberships";--> statement-breakpoint
DROP TRIGGER "member_changed" ON "memberships";--> statement-breakpoint
DROP FUNCTION "members_changed"();--> statement-breakpoint
DROP FUNCTION "member_changed"();--> statement-breakpoint
ALTER TABLE "rooms" DROP COLUMN "members_version";
