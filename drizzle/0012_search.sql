CREATE TABLE "message_search" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"author_number" integer NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_rooms" (
	"room_id" uuid PRIMARY KEY NOT NULL,
	"after_seq" bigint NOT NULL,
	"back_seq" bigint NOT NULL,
	"version" smallint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "number" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "rooms_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "number" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "users_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "search_rooms" ADD CONSTRAINT "search_rooms_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_search_words" ON "message_search" USING gin ("words") WITH (fastupdate=true,gin_pending_list_limit=1024);--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_number" ON "rooms" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "users_number" ON "users" USING btree ("number");