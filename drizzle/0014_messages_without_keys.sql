ALTER TABLE "messages" DROP CONSTRAINT "messages_room_id_rooms_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_author_id_users_id_fk";
--> statement-breakpoint
-- What the keys did where rows are deleted, which is rare.
CREATE FUNCTION delete_messages_of_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messages USING gone WHERE messages.room_id = gone.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER delete_messages_of_rooms
  AFTER DELETE ON rooms REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION delete_messages_of_rooms();
--> statement-breakpoint
CREATE FUNCTION authors_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM messages WHERE author_id IN (SELECT id FROM gone)) THEN
    RAISE foreign_key_violation USING MESSAGE = 'An account that has written messages is kept';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER authors_are_kept
  AFTER DELETE ON users REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION authors_are_kept();
