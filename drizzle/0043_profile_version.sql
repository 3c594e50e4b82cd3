ALTER TABLE "users" ADD COLUMN "profile_version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Of two copies of a user as others see them, the newer has the higher version.
CREATE FUNCTION count_profile_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.profile_version := OLD.profile_version + 1;
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER count_profile_version
  BEFORE UPDATE OF username, display_name, avatar_version, is_bot, is_active ON users
  FOR EACH ROW EXECUTE FUNCTION count_profile_version();
