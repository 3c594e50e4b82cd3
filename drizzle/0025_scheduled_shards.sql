DROP INDEX "scheduled_messages_due";--> statement-breakpoint
ALTER TABLE "saved_messages" ADD COLUMN "room_id" uuid;--> statement-breakpoint
UPDATE "saved_messages" SET "room_id" = "messages"."room_id" FROM "messages" WHERE "messages"."id" = "message_id";--> statement-breakpoint
ALTER TABLE "saved_messages" ALTER COLUMN "room_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "scheduled_messages_room" ON "scheduled_messages" USING btree ("room_id");--> statement-breakpoint
CREATE INDEX "scheduled_messages_shard" ON "scheduled_messages" USING btree ((get_byte(uuid_send(room_id), 15) & 15),"send_at","id") WHERE state = 'waiting';--> statement-breakpoint
-- One job of a shard in place of one of a room.
DELETE FROM "jobs" WHERE "kind" = 'send_scheduled';--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "payload", "unique_key", "run_at", "max_attempts")
SELECT gen_random_uuid(), 'send_scheduled', jsonb_build_object('shard', shard), 'scheduled:' || shard, at, 8
FROM (
  SELECT get_byte(uuid_send(room_id), 15) & 15 AS shard, min(send_at) AS at
  FROM "scheduled_messages" WHERE state = 'waiting' GROUP BY 1
) waiting;
