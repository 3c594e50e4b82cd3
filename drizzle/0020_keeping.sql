CREATE TABLE "drafts" (
	"user_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"thread_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"content" text,
	"quote_id" uuid,
	"image_id" uuid,
	"file_id" uuid,
	"client_id" uuid,
	"version" integer NOT NULL,
	"device" text,
	"updated_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "drafts_user_id_room_id_thread_id_pk" PRIMARY KEY("user_id","room_id","thread_id"),
	CONSTRAINT "drafts_content" CHECK (char_length("drafts"."content") <= 8000),
	CONSTRAINT "drafts_device" CHECK (char_length("drafts"."device") <= 40)
);
--> statement-breakpoint
CREATE TABLE "message_pins" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"pinned_by" uuid,
	"pinned_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_messages" (
	"user_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"note" text,
	"remind_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	"hidden_since" timestamp (3) with time zone,
	CONSTRAINT "saved_messages_user_id_message_id_pk" PRIMARY KEY("user_id","message_id"),
	CONSTRAINT "saved_messages_note" CHECK (char_length("saved_messages"."note") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "scheduled_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"thread_id" uuid,
	"quote_id" uuid,
	"content" text,
	"image_id" uuid,
	"image_alt" text,
	"file_id" uuid,
	"group_id" uuid,
	"send_at" timestamp (3) with time zone NOT NULL,
	"zone" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"message_id" uuid,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "scheduled_messages_state" CHECK ("scheduled_messages"."state" in ('waiting', 'sent', 'failed')),
	CONSTRAINT "scheduled_messages_reason" CHECK (("scheduled_messages"."state" = 'failed') = ("scheduled_messages"."reason" is not null)),
	CONSTRAINT "scheduled_messages_ended" CHECK (("scheduled_messages"."state" = 'waiting') = ("scheduled_messages"."ended_at" is null)),
	CONSTRAINT "scheduled_messages_content" CHECK (char_length("scheduled_messages"."content") between 1 and 8000),
	CONSTRAINT "scheduled_messages_not_empty" CHECK (num_nonnulls("scheduled_messages"."content", "scheduled_messages"."image_id", "scheduled_messages"."file_id") > 0)
);
--> statement-breakpoint
ALTER TABLE "incoming_webhooks" ADD COLUMN "may_pin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "pinning" text DEFAULT 'members' NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "pin_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_pins" ADD CONSTRAINT "message_pins_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_pins" ADD CONSTRAINT "message_pins_pinned_by_users_id_fk" FOREIGN KEY ("pinned_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_messages" ADD CONSTRAINT "saved_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_messages" ADD CONSTRAINT "saved_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drafts_updated" ON "drafts" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "drafts_room" ON "drafts" USING btree ("room_id");--> statement-breakpoint
CREATE INDEX "drafts_image" ON "drafts" USING btree ("image_id") WHERE image_id is not null;--> statement-breakpoint
CREATE INDEX "drafts_file" ON "drafts" USING btree ("file_id") WHERE file_id is not null;--> statement-breakpoint
CREATE INDEX "message_pins_room" ON "message_pins" USING btree ("room_id","pinned_at" DESC NULLS FIRST,"message_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "saved_messages_list" ON "saved_messages" USING btree ("user_id","done_at","saved_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "saved_messages_message" ON "saved_messages" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "saved_messages_due" ON "saved_messages" USING btree ("remind_at") WHERE remind_at is not null and reminded_at is null;--> statement-breakpoint
CREATE INDEX "scheduled_messages_list" ON "scheduled_messages" USING btree ("user_id","state","send_at");--> statement-breakpoint
CREATE INDEX "scheduled_messages_due" ON "scheduled_messages" USING btree ("room_id","send_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "scheduled_messages_image" ON "scheduled_messages" USING btree ("image_id") WHERE image_id is not null;--> statement-breakpoint
CREATE INDEX "scheduled_messages_file" ON "scheduled_messages" USING btree ("file_id") WHERE file_id is not null;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_pinning" CHECK ("rooms"."pinning" in ('members', 'admins'));--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_pin_count" CHECK ("rooms"."pin_count" between 0 and 100);