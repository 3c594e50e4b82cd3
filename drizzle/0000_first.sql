CREATE TABLE "admin_audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" uuid,
	"target_name" text,
	"details" jsonb NOT NULL,
	"ip" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "admin_audit_log_action_form" CHECK ("admin_audit_log"."action" ~ '^[a-z_]+\.[a-z_]+$'),
	CONSTRAINT "admin_audit_log_details" CHECK (jsonb_typeof("admin_audit_log"."details") = 'object')
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"last4" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"created_by" uuid,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_name" CHECK (char_length("api_tokens"."name") between 1 and 80),
	CONSTRAINT "api_tokens_hash" CHECK (octet_length("api_tokens"."token_hash") = 32),
	CONSTRAINT "api_tokens_last4" CHECK ("api_tokens"."last4" ~ '^[A-Za-z0-9_-]{4}$'),
	CONSTRAINT "api_tokens_scopes" CHECK ("api_tokens"."scopes" <@ array['read:messages', 'write:messages', 'manage:rooms']),
	CONSTRAINT "api_tokens_expiry" CHECK ("api_tokens"."expires_at" > "api_tokens"."created_at")
);
--> statement-breakpoint
CREATE TABLE "avatars" (
	"user_id" uuid NOT NULL,
	"side" integer NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" bigint NOT NULL,
	CONSTRAINT "avatars_user_id_side_pk" PRIMARY KEY("user_id","side")
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"size_bytes" bigint NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "blobs_sha256" CHECK (octet_length("blobs"."sha256") = 32)
);
--> statement-breakpoint
CREATE TABLE "custom_themes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"colors" jsonb NOT NULL,
	"is_dark" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incoming_webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_by" uuid NOT NULL,
	"bot_id" uuid,
	"github_secret" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invite_rooms" (
	"invite_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	CONSTRAINT "invite_rooms_invite_id_room_id_pk" PRIMARY KEY("invite_id","room_id")
);
--> statement-breakpoint
CREATE TABLE "invites" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token_id" uuid,
	"email" text,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invites_email_folded" CHECK ("invites"."email" = lower("invites"."email")),
	CONSTRAINT "invites_one_end" CHECK (num_nonnulls("invites"."accepted_at", "invites"."revoked_at") < 2)
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"unique_key" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"run_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer NOT NULL,
	"locked_by" uuid,
	"locked_until" timestamp (3) with time zone,
	"last_error" text,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_payload" CHECK (jsonb_typeof("jobs"."payload") = 'object'),
	CONSTRAINT "jobs_attempts" CHECK ("jobs"."attempts" >= 0 and "jobs"."max_attempts" > 0),
	CONSTRAINT "jobs_state" CHECK ("jobs"."locked_by" is null or "jobs"."failed_at" is null),
	CONSTRAINT "jobs_lease" CHECK (("jobs"."locked_by" is null) = ("jobs"."locked_until" is null))
);
--> statement-breakpoint
CREATE TABLE "link_previews" (
	"url_hash" "bytea" PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"title" text,
	"description" text,
	"site_name" text,
	"is_image" boolean DEFAULT false NOT NULL,
	"image_sha256" "bytea",
	"has_failed" boolean DEFAULT false NOT NULL,
	"fetched_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"room_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"notify" text DEFAULT 'all' NOT NULL,
	"joined_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_read_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_read_seq" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "memberships_room_id_user_id_pk" PRIMARY KEY("room_id","user_id"),
	CONSTRAINT "memberships_role" CHECK ("memberships"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "memberships_notify" CHECK ("memberships"."notify" in ('all', 'mentions', 'none'))
);
--> statement-breakpoint
CREATE TABLE "message_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"uploader_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "message_files_name" CHECK (octet_length("message_files"."name") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "message_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"uploader_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"thumb_sha256" "bytea",
	"mime" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"size_bytes" bigint NOT NULL,
	"blurhash" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "message_images_size" CHECK ("message_images"."width" > 0 and "message_images"."height" > 0)
);
--> statement-breakpoint
CREATE TABLE "message_mentions" (
	"message_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "message_mentions_message_id_user_id_pk" PRIMARY KEY("message_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "message_reactions" (
	"message_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"emoji" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "message_reactions_message_id_user_id_emoji_pk" PRIMARY KEY("message_id","user_id","emoji")
);
--> statement-breakpoint
CREATE TABLE "message_room_references" (
	"message_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	CONSTRAINT "message_room_references_message_id_room_id_pk" PRIMARY KEY("message_id","room_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"author_id" uuid NOT NULL,
	"content" text,
	"image_id" uuid,
	"file_id" uuid,
	"preview_url" text,
	"has_embeds" boolean DEFAULT false NOT NULL,
	"via_name" text,
	"via_icon_emoji" text,
	"client_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	CONSTRAINT "messages_content_length" CHECK (char_length("messages"."content") between 1 and 8000),
	CONSTRAINT "messages_via" CHECK ("messages"."via_name" is not null or "messages"."via_icon_emoji" is null),
	CONSTRAINT "messages_not_empty" CHECK (num_nonnulls("messages"."content", "messages"."image_id", "messages"."file_id") > 0)
);
--> statement-breakpoint
CREATE TABLE "open_rooms" (
	"room_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	CONSTRAINT "open_rooms_room_id_user_id_instance_id_pk" PRIMARY KEY("room_id","user_id","instance_id")
);
--> statement-breakpoint
CREATE TABLE "outgoing_webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"room_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"is_active" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"after_seq" bigint NOT NULL,
	CONSTRAINT "outgoing_webhooks_events" CHECK (cardinality("outgoing_webhooks"."events") > 0),
	CONSTRAINT "outgoing_webhooks_previous" CHECK (("outgoing_webhooks"."previous_secret" is null) = ("outgoing_webhooks"."previous_until" is null)),
	CONSTRAINT "outgoing_webhooks_disabled" CHECK (not "outgoing_webhooks"."is_active" or "outgoing_webhooks"."disabled_reason" is null)
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people_version" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "people_version_only" CHECK ("people_version"."is_only")
);
--> statement-breakpoint
CREATE TABLE "presence" (
	"user_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	CONSTRAINT "presence_user_id_instance_id_pk" PRIMARY KEY("user_id","instance_id")
);
--> statement-breakpoint
CREATE TABLE "push_keys" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"private_key" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "push_keys_only" CHECK ("push_keys"."is_only")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "push_subscriptions_endpoint_form" CHECK ("push_subscriptions"."endpoint" ~ '^https://[!-~]+$' and char_length("push_subscriptions"."endpoint") <= 2008)
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "room_log" (
	"room_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"type" text NOT NULL,
	"message_id" uuid,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "room_log_room_id_seq_pk" PRIMARY KEY("room_id","seq")
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"privacy" text NOT NULL,
	"is_archived" boolean DEFAULT false NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"member_count" integer DEFAULT 0 NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"last_message_at" timestamp (3) with time zone,
	CONSTRAINT "rooms_name_form" CHECK ("rooms"."name" ~ '^[a-z0-9]([a-z0-9_-]{0,38}[a-z0-9])?$'),
	CONSTRAINT "rooms_privacy" CHECK ("rooms"."privacy" in ('open', 'private'))
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "smtp_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"security" text NOT NULL,
	"username" text,
	"password" "bytea",
	"from_address" text NOT NULL,
	CONSTRAINT "smtp_settings_is_only" CHECK ("smtp_settings"."is_only"),
	CONSTRAINT "smtp_settings_port" CHECK ("smtp_settings"."port" between 1 and 65535),
	CONSTRAINT "smtp_settings_security" CHECK ("smtp_settings"."security" in ('none', 'starttls', 'tls'))
);
--> statement-breakpoint
CREATE TABLE "upload_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"max_bytes" bigint NOT NULL,
	CONSTRAINT "upload_settings_is_only" CHECK ("upload_settings"."is_only"),
	CONSTRAINT "upload_settings_max_bytes" CHECK ("upload_settings"."max_bytes" between 1024 and 1073741824)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"email" text,
	"display_name" text,
	"avatar_version" text,
	"password_hash" text,
	"theme" text DEFAULT 'dark' NOT NULL,
	"follows_system" boolean DEFAULT true NOT NULL,
	"active_custom_theme_id" uuid,
	"appear_offline" boolean DEFAULT false NOT NULL,
	"email_on_added" boolean DEFAULT true NOT NULL,
	"password_set_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_site_admin" boolean DEFAULT false NOT NULL,
	"is_bot" boolean DEFAULT false NOT NULL,
	"push_paused_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	CONSTRAINT "users_username_form" CHECK ("users"."username" ~ '^[a-z0-9]([a-z0-9._-]{0,30}[a-z0-9])?$'),
	CONSTRAINT "users_email_folded" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_email_needed" CHECK ("users"."email" is not null or "users"."is_bot"),
	CONSTRAINT "users_bot" CHECK (not "users"."is_bot" or ("users"."password_hash" is null and not "users"."is_site_admin")),
	CONSTRAINT "users_theme" CHECK ("users"."theme" in ('dark', 'light', 'midnight', 'sunset', 'custom')),
	CONSTRAINT "users_custom_theme" CHECK ("users"."theme" <> 'custom' or "users"."active_custom_theme_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hook_id" uuid NOT NULL,
	"event" text NOT NULL,
	"seq" bigint,
	"body" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"status" integer,
	"error" text,
	"duration_ms" integer,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_due" CHECK (("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_at" is not null)),
	CONSTRAINT "webhook_deliveries_delivered" CHECK (("webhook_deliveries"."state" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "admin_audit_log" ADD CONSTRAINT "admin_audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_sha256_blobs_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_themes" ADD CONSTRAINT "custom_themes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_webhooks" ADD CONSTRAINT "incoming_webhooks_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_webhooks" ADD CONSTRAINT "incoming_webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_webhooks" ADD CONSTRAINT "incoming_webhooks_bot_id_users_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invite_rooms" ADD CONSTRAINT "invite_rooms_invite_id_invites_id_fk" FOREIGN KEY ("invite_id") REFERENCES "public"."invites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invite_rooms" ADD CONSTRAINT "invite_rooms_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_previews" ADD CONSTRAINT "link_previews_image_sha256_blobs_sha256_fk" FOREIGN KEY ("image_sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_uploader_id_users_id_fk" FOREIGN KEY ("uploader_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_sha256_blobs_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_images" ADD CONSTRAINT "message_images_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_images" ADD CONSTRAINT "message_images_uploader_id_users_id_fk" FOREIGN KEY ("uploader_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_images" ADD CONSTRAINT "message_images_sha256_blobs_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_images" ADD CONSTRAINT "message_images_thumb_sha256_blobs_sha256_fk" FOREIGN KEY ("thumb_sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_mentions" ADD CONSTRAINT "message_mentions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_mentions" ADD CONSTRAINT "message_mentions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reactions" ADD CONSTRAINT "message_reactions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reactions" ADD CONSTRAINT "message_reactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_room_references" ADD CONSTRAINT "message_room_references_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_room_references" ADD CONSTRAINT "message_room_references_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_image_id_message_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."message_images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_file_id_message_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."message_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_webhooks" ADD CONSTRAINT "outgoing_webhooks_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_webhooks" ADD CONSTRAINT "outgoing_webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_active_custom_theme_id_custom_themes_id_fk" FOREIGN KEY ("active_custom_theme_id") REFERENCES "public"."custom_themes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_hook_id_outgoing_webhooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."outgoing_webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_audit_log_actor" ON "admin_audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "admin_audit_log_action" ON "admin_audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_token_hash" ON "api_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "avatars_sha256" ON "avatars" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "custom_themes_user" ON "custom_themes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "incoming_webhooks_token_hash" ON "incoming_webhooks" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "incoming_webhooks_room" ON "incoming_webhooks" USING btree ("room_id");--> statement-breakpoint
CREATE INDEX "invite_rooms_room" ON "invite_rooms" USING btree ("room_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invites_token_hash" ON "invites" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invites_email" ON "invites" USING btree ("email");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("run_at") WHERE locked_by is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "jobs_leases" ON "jobs" USING btree ("locked_until") WHERE locked_by is not null;--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("id") WHERE failed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique_key" ON "jobs" USING btree ("unique_key") WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX "link_previews_image" ON "link_previews" USING btree ("image_sha256") WHERE image_sha256 is not null;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_owner" ON "memberships" USING btree ("room_id") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "message_files_room" ON "message_files" USING btree ("room_id");--> statement-breakpoint
CREATE INDEX "message_files_sha256" ON "message_files" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "message_images_room" ON "message_images" USING btree ("room_id","sha256");--> statement-breakpoint
CREATE INDEX "message_images_sha256" ON "message_images" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "message_images_thumb" ON "message_images" USING btree ("thumb_sha256");--> statement-breakpoint
CREATE INDEX "message_mentions_unread" ON "message_mentions" USING btree ("user_id","room_id","seq");--> statement-breakpoint
CREATE INDEX "message_room_references_room" ON "message_room_references" USING btree ("room_id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_room_seq" ON "messages" USING btree ("room_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_client_id" ON "messages" USING btree ("author_id","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_image" ON "messages" USING btree ("image_id") WHERE image_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_file" ON "messages" USING btree ("file_id") WHERE file_id is not null;--> statement-breakpoint
CREATE INDEX "messages_preview_url" ON "messages" USING hash ("preview_url") WHERE preview_url is not null;--> statement-breakpoint
CREATE INDEX "open_rooms_instance" ON "open_rooms" USING btree ("instance_id");--> statement-breakpoint
CREATE INDEX "outgoing_webhooks_room" ON "outgoing_webhooks" USING btree ("room_id");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_token_hash" ON "password_resets" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "presence_instance" ON "presence" USING btree ("instance_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "rate_limits_expires" ON "rate_limits" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_name" ON "rooms" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree ("username");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_hook" ON "webhook_deliveries" USING btree ("hook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("hook_id","next_at","seq") WHERE state = 'pending';