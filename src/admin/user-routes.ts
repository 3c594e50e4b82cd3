import { deactivateUser, demoteUser, promoteUser, reactivateUser } from "../accounts/administer.ts";
import type { Database } from "../database/connect.ts";
import { jsonText, route } from "../routing/route.ts";
import { AdminUser, PasswordWasReset, ResetUserPassword } from "../wire/admin.ts";
import { Type as t } from "@sinclair/typebox";
import { Page } from "../wire/models.ts";
import { AdminUserQuery } from "../wire/queries.ts";
import { type AccountTexts, changeAccount, listUsers, resetUserPassword } from "./users.ts";

/** Accounts, for site administrators. */
export const userRoutes = (database: Database, texts: AccountTexts) => {
  const { db } = database;
  return [
    route("GET /api/admin/users", {
      access: "administrator",
      summary: "List all accounts",
      query: AdminUserQuery,
      answers: { 200: Page(AdminUser) },
      run: async ({ query }) => jsonText(await listUsers(database, texts, query)),
    }),
    route("POST /api/admin/users/:id/deactivate", {
      access: "administrator",
      proof: "needed",
      summary: "Deactivate an account and end its sessions",
      answers: { 200: AdminUser },
      errors: ["not_found", "self_lockout", "last_admin", "no_emergency_account"],
      run: (call) => changeAccount(db, call, deactivateUser),
    }),
    route("POST /api/admin/users/:id/reactivate", {
      access: "administrator",
      proof: "needed",
      summary: "Reactivate an account",
      answers: { 200: AdminUser },
      errors: ["not_found"],
      run: (call) => changeAccount(db, call, reactivateUser),
    }),
    route("POST /api/admin/users/:id/promote", {
      access: "administrator",
      proof: "needed",
      summary: "Make someone a site administrator",
      answers: { 200: AdminUser },
      errors: ["not_found", "bot_account"],
      run: (call) => changeAccount(db, call, promoteUser),
    }),
    route("POST /api/admin/users/:id/demote", {
      access: "administrator",
      proof: "needed",
      summary: "Make a site administrator a regular user",
      answers: { 200: AdminUser },
      errors: ["not_found", "self_lockout", "last_admin", "no_emergency_account"],
      run: (call) => changeAccount(db, call, demoteUser),
    }),
    route("POST /api/admin/users/:id/reset-password", {
      access: "administrator",
      proof: "needed",
      summary: "Set an account's password, or make one, and end all its sessions",
      body: t.Optional(ResetUserPassword),
      answers: { 200: PasswordWasReset },
      errors: ["not_found", "self_lockout", "bot_account"],
      run: (call) => resetUserPassword(db, call, call.body?.password),
    }),
  ];
};
