CREATE TABLE "reacted_messages" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"author_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"reacted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "activity_read_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "reacted_messages" ADD CONSTRAINT "reacted_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reacted_messages_author" ON "reacted_messages" USING btree ("author_id","room_id","reacted_at");--> statement-breakpoint
INSERT INTO reacted_messages (message_id, author_id, room_id, reacted_at)
SELECT m.id, m.author_id, m.room_id, max(r.created_at)
FROM message_reactions r JOIN messages m ON m.id = r.message_id
WHERE r.user_id <> m.author_id AND m.via_name IS NULL
GROUP BY m.id;
