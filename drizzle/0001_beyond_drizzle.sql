-- What the schema's page cannot say.

ALTER TABLE "rate_limits" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "instances" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "presence" SET UNLOGGED;--> statement-breakpoint

-- A room's row is updated with each message: with room on its page no index is touched (HOT).
ALTER TABLE "rooms" SET (fillfactor = 50);--> statement-breakpoint

INSERT INTO "people_version" DEFAULT VALUES;--> statement-breakpoint
CREATE FUNCTION people_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE people_version SET version = version + 1;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER people_changed
  AFTER UPDATE OF username, display_name, avatar_version, is_bot, is_active ON users
  FOR EACH STATEMENT EXECUTE FUNCTION people_changed();
