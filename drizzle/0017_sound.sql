ALTER TABLE "users" ADD COLUMN "sound" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_sound" CHECK ("users"."sound" in ('none', 'drop', 'chime', 'knock'));--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, email_on_missed, quiet_hours, sound,
    is_active, is_site_admin, is_bot, push_paused_until, push_preview, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
