DROP INDEX "memberships_user";--> statement-breakpoint
ALTER TABLE "rooms" ALTER COLUMN "name" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "is_direct" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "hidden_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "room_log" ADD COLUMN "actor_id" uuid;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "kind" text DEFAULT 'room' NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "direct_kind" text;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "direct_key" "bytea";--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "is_closed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "push_preview" text DEFAULT 'full' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_direct_key" ON "rooms" USING btree ("direct_key");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id","is_direct");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_direct" CHECK ("memberships"."is_direct" or "memberships"."hidden_at" is null);--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_kind" CHECK ("rooms"."kind" in ('room', 'direct'));--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_named" CHECK (("rooms"."kind" = 'direct') = ("rooms"."name" is null));--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_direct_kind" CHECK (("rooms"."kind" = 'direct') = ("rooms"."direct_kind" is not null)
        and "rooms"."direct_kind" in ('self', 'pair', 'group'));--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_direct_key_length" CHECK (octet_length("rooms"."direct_key") = 32);--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_direct" CHECK (case when "rooms"."kind" = 'room' then "rooms"."direct_key" is null and not "rooms"."is_closed"
        else "rooms"."privacy" = 'private' and not "rooms"."is_archived" and not "rooms"."is_default" end);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_push_preview" CHECK ("users"."push_preview" in ('full', 'sender', 'none'));--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, is_active, is_site_admin, is_bot,
    push_paused_until, push_preview, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
