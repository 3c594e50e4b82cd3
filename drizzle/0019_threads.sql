CREATE TABLE "thread_follows" (
	"user_id" uuid NOT NULL,
	"thread_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"is_following" boolean DEFAULT true NOT NULL,
	"read_seq" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "thread_follows_user_id_thread_id_pk" PRIMARY KEY("user_id","thread_id")
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"title" text,
	"reply_count" integer NOT NULL,
	"last_reply_seq" bigint NOT NULL,
	"last_reply_at" timestamp (3) with time zone NOT NULL,
	"last_author_ids" uuid[] NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	CONSTRAINT "threads_title" CHECK (char_length("threads"."title") between 1 and 120),
	CONSTRAINT "threads_reply_count" CHECK ("threads"."reply_count" > 0),
	CONSTRAINT "threads_authors" CHECK (cardinality("threads"."last_author_ids") <= 5)
);
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_not_empty";--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "thread_push" text DEFAULT 'followed' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "thread_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "quote_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "threads" text DEFAULT 'on' NOT NULL;--> statement-breakpoint
ALTER TABLE "thread_follows" ADD CONSTRAINT "thread_follows_thread_id_threads_message_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("message_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "thread_follows_thread" ON "thread_follows" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "threads_room" ON "threads" USING btree ("room_id","last_reply_seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_thread" ON "messages" USING btree ("thread_id","seq") WHERE thread_id is not null;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_thread_push" CHECK ("memberships"."thread_push" in ('followed', 'all'));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_thread_other" CHECK ("messages"."thread_id" <> "messages"."id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_not_empty" CHECK ("messages"."deleted_at" is not null or num_nonnulls("messages"."content", "messages"."image_id", "messages"."file_id") > 0);--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_threads" CHECK ("rooms"."threads" in ('on', 'off'));