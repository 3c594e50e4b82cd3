ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, email_on_missed, quiet_hours, time_zone, sound,
    is_active, is_site_admin, is_bot, push_paused_until, push_preview, keywords, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
