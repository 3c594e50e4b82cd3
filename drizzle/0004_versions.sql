CREATE SEQUENCE "public"."membership_versions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "version" bigint DEFAULT nextval('membership_versions') NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" bigint DEFAULT 0 NOT NULL;