CREATE TABLE "keyword_hits" (
	"message_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "keyword_hits_message_id_user_id_pk" PRIMARY KEY("message_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "keywords" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "keyword_hits" ADD CONSTRAINT "keyword_hits_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keyword_hits" ADD CONSTRAINT "keyword_hits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "keyword_hits_unread" ON "keyword_hits" USING btree ("user_id","room_id","seq");--> statement-breakpoint
DROP TRIGGER count_user_version ON users;--> statement-breakpoint
CREATE TRIGGER count_user_version
  BEFORE UPDATE OF username, email, display_name, avatar_version, theme, follows_system,
    active_custom_theme_id, appear_offline, email_on_added, email_on_missed, quiet_hours, sound,
    is_active, is_site_admin, is_bot, push_paused_until, push_preview, keywords, sidebar, version ON users
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
