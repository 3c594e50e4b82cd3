import { eq, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { users } from "../database/schema.ts";
import { cleanName } from "../platform/input/names.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { isBroadcast, MAX_DISPLAY_NAME_LENGTH } from "../wire/limits.ts";
import { USERNAME_PATTERN } from "../wire/patterns.ts";
import type { UserRow } from "./users.ts";

/** A validated account with its password hashed. */
export type PreparedUser = Omit<typeof users.$inferInsert, "id">;

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
      const detail = `The username ${values.username} is taken. Choose another.`;
      throw new Refusal("username_taken", detail);
    }
    if (violatesConstraint(error, "users_email")) {
      throw new Refusal("email_taken", "An account with this email address already exists.");
    }
    throw error;
  }
}

export function cleanUsername(text: string): string {
  const username = text.toLowerCase();
  if (isBroadcast(username)) {
    const detail = `@${username} mentions everyone in a room. Choose another username.`;
    throw new Refusal("username_taken", detail);
  }
  if (new RegExp(USERNAME_PATTERN).test(username)) return username;
  const detail = "A username is 1 to 32 letters, digits, dots, dashes or underscores.";
  throw makeFieldRefusal("/username", detail);
}

/** @throws Refusal `validation` */
export function cleanDisplayName(name: string | null): string | null {
  if (name === null) return null;
  return cleanName(name, "/display_name", MAX_DISPLAY_NAME_LENGTH);
}

/** Serializes the creation of the first account and of its link. The number is arbitrary. */
const FIRST_ACCOUNT_LOCK = 5_733_526;

/** Whether a person, not only a bot, has an account. */
export async function hasAccount(tx: Query): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.isBot, false)).limit(1);
  return rows.length > 0;
}

/** Waits for other transactions that might create the first account. */
export async function lockFirstAccount(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
}
