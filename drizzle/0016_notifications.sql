CREATE TABLE "visits" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_on_missed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mentions_mailed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "quiet_hours" jsonb;--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, email_on_missed, quiet_hours,
    is_active, is_site_admin, is_bot, push_paused_until, push_preview, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
