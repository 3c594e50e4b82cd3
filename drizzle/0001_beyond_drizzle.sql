-- What the schema's page cannot say.

ALTER TABLE "rate_limits" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "instances" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "presence" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "open_rooms" SET UNLOGGED;--> statement-breakpoint

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
  FOR EACH STATEMENT EXECUTE FUNCTION people_changed();--> statement-breakpoint

-- What is in the audit log stays there as it was written.
CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'restrict_violation';
END
$$;--> statement-breakpoint
CREATE TRIGGER audit_is_kept
  BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept();
