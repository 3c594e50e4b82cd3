-- Lists of the members of large rooms are cached until this number has changed. Whoever changes a
-- membership holds the lock of the room's row already.
CREATE FUNCTION members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rooms SET members_version = members_version + 1
  WHERE id IN (SELECT room_id FROM changed);
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION member_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rooms SET members_version = members_version + 1 WHERE id = NEW.room_id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER members_added
  AFTER INSERT ON memberships REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION members_changed();--> statement-breakpoint
CREATE TRIGGER members_removed
  AFTER DELETE ON memberships REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION members_changed();--> statement-breakpoint
-- Read marks are not in the lists.
CREATE TRIGGER member_changed
  AFTER UPDATE OF role, joined_at ON memberships
  FOR EACH ROW EXECUTE FUNCTION member_changed();
