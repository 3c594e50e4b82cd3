-- Both begin again after a crash of PostgreSQL.
ALTER TABLE "login_challenges" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "oidc_flows" SET UNLOGGED;
