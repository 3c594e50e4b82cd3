CREATE TABLE "default_sections" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" bigint NOT NULL,
	"sections" jsonb NOT NULL,
	CONSTRAINT "default_sections_is_only" CHECK ("default_sections"."is_only")
);
--> statement-breakpoint
CREATE TABLE "section_lists" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"sections" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "section_rooms" (
	"user_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"section_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "section_rooms_user_id_room_id_pk" PRIMARY KEY("user_id","room_id")
);
--> statement-breakpoint
ALTER TABLE "section_lists" ADD CONSTRAINT "section_lists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "section_rooms" ADD CONSTRAINT "section_rooms_user_id_section_lists_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."section_lists"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "section_rooms_room" ON "section_rooms" USING btree ("room_id");