CREATE TABLE "invite_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"max_uses" integer NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invite_links_uses" CHECK ("invite_links"."uses" between 0 and "invite_links"."max_uses")
);
--> statement-breakpoint
CREATE TABLE "team_logos" (
	"side" integer PRIMARY KEY NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text,
	"logo_version" text,
	"setup_step" integer DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "team_settings_is_only" CHECK ("team_settings"."is_only"),
	CONSTRAINT "team_settings_name" CHECK (char_length("team_settings"."name") between 1 and 60),
	CONSTRAINT "team_settings_setup_step" CHECK ("team_settings"."setup_step" between 0 and 4)
);
--> statement-breakpoint
ALTER TABLE "invite_links" ADD CONSTRAINT "invite_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_logos" ADD CONSTRAINT "team_logos_sha256_blobs_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invite_links_token_hash" ON "invite_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "team_logos_sha256" ON "team_logos" USING btree ("sha256");--> statement-breakpoint
-- A service that has people already was set up by them.
INSERT INTO "team_settings" ("setup_step")
SELECT CASE WHEN EXISTS (SELECT FROM "users" WHERE NOT "is_bot") THEN 4 ELSE 0 END;
