ALTER TABLE "memberships" ADD COLUMN "pinned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sidebar" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, is_active, is_site_admin, is_bot,
    push_paused_until, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
