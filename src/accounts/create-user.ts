import type { Query } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { users } from "../database/schema.ts";
import { cleanName } from "../platform/names.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { MAX_DISPLAY_NAME_LENGTH } from "../wire/limits.ts";
import { EMAIL_PATTERN, USERNAME_PATTERN } from "../wire/patterns.ts";
import { isBroadcast } from "../wire/markdown/extract.ts";
import { hashPassword } from "./passwords.ts";
import type { UserRow } from "./users.ts";

type NewUser = {
  username: string;
  email: string;
  password: string;
  displayName?: string | null;
  isSiteAdmin?: boolean;
  /** Neither an invite nor the operator has shown whose the address is. */
  hasUnverifiedEmail?: boolean;
};

/** A validated account with its password hashed. */
export type PreparedUser = Omit<typeof users.$inferInsert, "id">;

/**
 * Validates a person's account and hashes its password, which takes long by design: before the
 * transaction in which `insertUser` creates the account.
 * @throws Refusal `validation`
 */
export async function prepareUser(params: NewUser): Promise<PreparedUser> {
  const username = cleanUsername(params.username);
  const email = params.email.trim().toLowerCase();
  if (!new RegExp(EMAIL_PATTERN).test(email)) {
    throw makeInvalid("/email", "That is not an email address.");
  }
  const passwordHash = await hashPassword(params.password, [username, email]);
  const displayName = cleanDisplayName(params.displayName ?? null);
  const isSiteAdmin = params.isSiteAdmin ?? false;
  const hasUnverifiedEmail = params.hasUnverifiedEmail ?? false;
  return { username, email, displayName, passwordHash, isSiteAdmin, hasUnverifiedEmail };
}

/**
 * Creates a bot's account, which has no password.
 * @throws Refusal `validation`, `username_taken`
 */
export function createBotUser(
  tx: Query,
  params: { username: string; displayName: string | null },
): Promise<UserRow> {
  const username = cleanUsername(params.username);
  return insertUser(tx, {
    username,
    displayName: cleanDisplayName(params.displayName),
    isBot: true,
  });
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function insertUser(tx: Query, values: PreparedUser): Promise<UserRow> {
  try {
    const [row] = await tx
      .insert(users)
      .values({ id: Bun.randomUUIDv7(), ...values })
      .returning();
    return row as UserRow;
  } catch (error) {
    if (violatesConstraint(error, "users_username")) {
      throw new Refusal(
        "username_taken",
        `The username ${values.username} is taken. Choose another.`,
      );
    }
    if (violatesConstraint(error, "users_email")) {
      throw new Refusal("email_taken", "An account with this email address already exists.");
    }
    throw error;
  }
}

function cleanUsername(text: string): string {
  const username = text.toLowerCase();
  if (isBroadcast(username)) {
    const detail = `@${username} mentions everyone in a room. Choose another username.`;
    throw new Refusal("username_taken", detail);
  }
  if (new RegExp(USERNAME_PATTERN).test(username)) return username;
  throw makeInvalid(
    "/username",
    "A username is 1 to 32 letters, digits, dots, dashes or underscores.",
  );
}

/**
 * Trims a display name; null stays null.
 * @throws Refusal `validation` as `cleanName`
 */
export function cleanDisplayName(name: string | null): string | null {
  if (name === null) return null;
  return cleanName(name, "/display_name", MAX_DISPLAY_NAME_LENGTH);
}
