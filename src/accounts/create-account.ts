import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import { startSections } from "../sections/sections.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import {
  cleanDisplayName,
  cleanUsername,
  insertUser,
  lockFirstAccount,
  type PreparedUser,
} from "../users/create-user.ts";
import type { UserRow } from "../users/users.ts";
import { EMAIL_PATTERN } from "../wire/patterns.ts";
import { targetOf } from "./administer.ts";

type NewUser = {
  username: string;
  email: string;
  password: string;
  displayName?: string | null;
  isSiteAdmin?: boolean;
  /** True if neither an invite nor an operator vouches for the address. */
  hasUnverifiedEmail?: boolean;
};

/** Call it before the transaction: hashing is slow by design. @throws Refusal `validation` */
export async function prepareUser(params: NewUser): Promise<PreparedUser> {
  const username = cleanUsername(params.username);
  const email = params.email.trim().toLowerCase();
  if (!new RegExp(EMAIL_PATTERN).test(email)) {
    throw makeFieldRefusal("/email", "That is not an email address.");
  }
  const passwordHash = await hashPassword(params.password, [username, email]);
  const displayName = cleanDisplayName(params.displayName ?? null);
  const isSiteAdmin = params.isSiteAdmin ?? false;
  const hasUnverifiedEmail = params.hasUnverifiedEmail ?? false;
  return { username, email, displayName, passwordHash, isSiteAdmin, hasUnverifiedEmail };
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function createAccount(
  tx: Transaction,
  actor: AuditActor,
  account: PreparedUser,
): Promise<UserRow> {
  await lockFirstAccount(tx);
  const user = await insertUser(tx, account);
  await startSections(tx, user.id);
  await writeAudit(tx, actor, "user.create", targetOf(user), { is_site_admin: user.isSiteAdmin });
  return user;
}
