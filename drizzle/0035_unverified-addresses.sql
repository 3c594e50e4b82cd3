ALTER TABLE "identities" ADD COLUMN "lacks_auth_time" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD COLUMN "proves_without_auth_time" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "has_unverified_email" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Addresses that neither an invite was mailed to, nor an operator or a provider gave.
UPDATE "users" SET "has_unverified_email" = true WHERE NOT "is_bot" AND "email" IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM "invites" WHERE "invites"."email" = "users"."email" AND "invites"."accepted_at" IS NOT NULL
  )
  AND NOT EXISTS (
    SELECT FROM "admin_audit_log" WHERE "target_id" = "users"."id" AND "action" = 'user.create'
  );
