import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import {
  readSignInSettings,
  resetSecondFactor,
  setKeepsPassword,
  setSecondFactorPolicy,
} from "../sign-in/administer.ts";
import { AdminUser, UpdateUser } from "../wire/admin.ts";
import { SignInSettings, UpdateSignIn } from "../wire/providers.ts";
import { changeAsAdministrator } from "./change.ts";
import { changeAccount } from "./users.ts";

/** Second factors of others, and the policy, for site administrators. */
export const signInAdminRoutes = ({ db }: Database) => [
  route("PATCH /api/admin/users/:id", {
    access: "administrator",
    proof: "needed",
    summary: "Choose whether an account keeps its password where a provider is exclusive",
    body: UpdateUser,
    answers: { 200: AdminUser },
    errors: ["not_found", "bot_account", "no_emergency_account"],
    run: (call) => changeAccount(db, call, setKeepsPassword(call.body.keeps_password)),
  }),
  route("POST /api/admin/users/:id/reset-second-factor", {
    access: "administrator",
    proof: "needed",
    summary: "Remove someone's second factor, and end all their sessions",
    answers: { 200: AdminUser },
    errors: ["not_found", "self_lockout", "bot_account", "no_emergency_account"],
    run: (call) => changeAccount(db, call, resetSecondFactor),
  }),
  route("GET /api/admin/settings/sign-in", {
    access: "administrator",
    summary: "Get who must have a second factor",
    answers: { 200: SignInSettings },
    run: () => readSignInSettings(db),
  }),
  route("PUT /api/admin/settings/sign-in", {
    access: "administrator",
    proof: "needed",
    summary: "Set who must have a second factor",
    description: "A change gives everyone of the policy its days of grace from now on.",
    body: UpdateSignIn,
    answers: { 200: SignInSettings },
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) =>
        setSecondFactorPolicy(tx, actor, call.body.second_factor),
      ),
  }),
];
