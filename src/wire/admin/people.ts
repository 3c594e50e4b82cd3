import { type Static, Type as t } from "@sinclair/typebox";
import { Me, Nullable, Timestamp } from "../models.ts";
import { Password } from "../requests.ts";

/** Accounts, as administrators see them. */

/** An account, a person's or a bot's, as administrators see it; the rooms that someone ordered and their keywords are private. */
export const AdminUser = t.Composite([
  t.Omit(Me, ["sidebar", "keywords"]),
  t.Object({
    last_seen_at: Nullable(Timestamp),
    keeps_password: t.Boolean({ description: "An emergency account, where passwords are off" }),
    has_second_factor: t.Boolean(),
  }),
]);
export const UpdateUser = t.Object({ keeps_password: t.Boolean() });
export const ResetUserPassword = t.Object({ password: t.Optional(Password) });

/** The password is in this response only; null if the request set it. */
export const PasswordWasReset = t.Composite([
  AdminUser,
  t.Object({ password: Nullable(t.String()) }),
]);

export type PasswordWasReset = Static<typeof PasswordWasReset>;
export type AdminUser = Static<typeof AdminUser>;
