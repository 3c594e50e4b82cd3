import { eq, or } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { violates } from "../database/errors.ts";
import { customThemes, users } from "../database/schema.ts";
import { cleanName } from "../platform/names.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { EMAIL_PATTERN, MAX_DISPLAY_NAME_LENGTH, USERNAME_PATTERN } from "../wire/limits.ts";
import type { CustomTheme, Me, User } from "../wire/models.ts";
import { hashPassword } from "./passwords.ts";

export type UserRow = typeof users.$inferSelect;

/** The columns that others see, for queries that join `users`. */
export const userColumns = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  avatarVersion: users.avatarVersion,
  isBot: users.isBot,
  isActive: users.isActive,
};

/** Where somebody's picture is; its address changes when it does. */
export function avatarUrl(userId: string, version: string | null): string | null {
  return version && `/api/users/${userId}/avatar?v=${version}`;
}

/** What someone is called where there is one name for it. */
export function nameOf(user: Pick<UserRow, "username" | "displayName">): string {
  return user.displayName ?? user.username;
}

/** A row as others see it. */
export function toUser(row: Pick<UserRow, keyof typeof userColumns>): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.displayName,
    avatar_url: avatarUrl(row.id, row.avatarVersion),
    is_bot: row.isBot,
    is_active: row.isActive,
  };
}

export type CustomThemeRow = typeof customThemes.$inferSelect;

export function toCustomTheme(row: CustomThemeRow): CustomTheme {
  const { id, name, colors, isDark, createdAt } = row;
  return { id, name, colors, is_dark: isDark, created_at: createdAt.toISOString() };
}

/**
 * A row as that user sees it.
 * @param active the saved theme that the row names; it is shown only while it is in use
 */
export function toMe(row: UserRow, active: CustomThemeRow | null): Me {
  return {
    ...toUser(row),
    email: row.email,
    theme: row.theme,
    follows_system: row.followsSystem,
    active_custom_theme_id: row.activeCustomThemeId,
    active_custom_theme: row.theme === "custom" && active ? toCustomTheme(active) : null,
    appear_offline: row.appearOffline,
    email_on_added: row.emailOnAdded,
    push_paused_until: row.pushPausedUntil?.toISOString() ?? null,
    is_site_admin: row.isSiteAdmin,
    created_at: row.createdAt.toISOString(),
    version: row.version,
  };
}

/** Someone as that one sees it. */
export async function readMe(tx: Query, userId: string): Promise<Me> {
  const [row] = await tx
    .select({ user: users, active: customThemes })
    .from(users)
    .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
    .where(eq(users.id, userId));
  if (!row) throw new Error("readMe: no such user");
  return toMe(row.user, row.active);
}

export type NewUser = {
  username: string;
  email: string;
  password: string;
  displayName?: string | null;
  isSiteAdmin?: boolean;
};

/**
 * Makes a person's account.
 * @throws Refusal `validation`, `username_taken`, `email_taken`
 */
export async function createUser(tx: Query, given: NewUser): Promise<UserRow> {
  return insertUser(tx, await prepareUser(given));
}

/** A checked account whose password is hashed. */
export type PreparedUser = Omit<typeof users.$inferInsert, "id">;

/**
 * Checks a person's account and hashes its password, which is slow on purpose.
 * @throws Refusal `validation`
 */
export async function prepareUser(given: NewUser): Promise<PreparedUser> {
  const username = cleanUsername(given.username);
  const email = given.email.trim().toLowerCase();
  if (!new RegExp(EMAIL_PATTERN).test(email)) throw invalid("/email", "That is no email address.");
  const passwordHash = await hashPassword(given.password, [username, email]);
  const displayName = cleanDisplayName(given.displayName ?? null);
  const isSiteAdmin = given.isSiteAdmin ?? false;
  return { username, email, displayName, passwordHash, isSiteAdmin };
}

/**
 * Makes a bot's account, which nobody can sign in to.
 * @throws Refusal `validation`, `username_taken`
 */
export function createBotUser(
  tx: Query,
  given: { username: string; displayName: string | null },
): Promise<UserRow> {
  const username = cleanUsername(given.username);
  return insertUser(tx, {
    username,
    displayName: cleanDisplayName(given.displayName),
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
    if (violates(error, "users_username")) {
      throw new Refusal(
        "username_taken",
        `The username ${values.username} is taken. Choose another.`,
      );
    }
    if (violates(error, "users_email")) {
      throw new Refusal("email_taken", "An account with this email address exists already.");
    }
    throw error;
  }
}

function cleanUsername(given: string): string {
  const username = given.toLowerCase();
  if (new RegExp(USERNAME_PATTERN).test(username)) return username;
  throw invalid("/username", "A username is 1 to 32 letters, digits, dots, dashes or underscores.");
}

/**
 * Trims; what is empty then is null.
 * @throws Refusal `validation` as `cleanName`
 */
export function cleanDisplayName(name: string | null): string | null {
  if (name === null || name.trim() === "") return null;
  return cleanName(name, "/display_name", MAX_DISPLAY_NAME_LENGTH);
}

/** Finds an account by its username or email, whatever the case. */
export async function findByLogin(tx: Query, login: string): Promise<UserRow | null> {
  const folded = login.trim().toLowerCase();
  const [row] = await tx
    .select()
    .from(users)
    .where(or(eq(users.username, folded), eq(users.email, folded)))
    .limit(1);
  return row ?? null;
}

/** @throws Refusal `not_found` */
export async function getByUsername(tx: Query, username: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.username, username.toLowerCase()));
  if (!row) throw new Refusal("not_found", `There is no user ${username}.`);
  return row;
}
