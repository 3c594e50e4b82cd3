CREATE TABLE "message_broadcasts" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text NOT NULL,
	"user_ids" uuid[],
	CONSTRAINT "message_broadcasts_kind" CHECK ("message_broadcasts"."kind" in ('room', 'here'))
);
--> statement-breakpoint
ALTER TABLE "message_broadcasts" ADD CONSTRAINT "message_broadcasts_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_broadcasts_unread" ON "message_broadcasts" USING btree ("room_id","seq");