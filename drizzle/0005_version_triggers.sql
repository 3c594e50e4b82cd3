-- Of two answers about a person or a membership, the newer has the higher version.
CREATE FUNCTION count_user_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, is_active, is_site_admin, is_bot,
    push_paused_until, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();--> statement-breakpoint
CREATE FUNCTION count_membership_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := nextval('membership_versions');
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER count_membership_version
  BEFORE UPDATE ON memberships
  FOR EACH ROW EXECUTE FUNCTION count_membership_version();
