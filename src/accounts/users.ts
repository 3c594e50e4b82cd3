import { eq, or } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { customThemes, users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import type { CustomTheme, Me, SidebarSettings, User } from "../wire/models.ts";

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

/** The URL of a user's picture; it changes with the picture. */
export function avatarUrl(userId: string, version: string | null): string | null {
  return version && `/api/users/${userId}/avatar?v=${version}`;
}

/** The one name to show for a user. */
export function displayNameOf(user: Pick<UserRow, "username" | "displayName">): string {
  return user.displayName ?? user.username;
}

/** A user as others see it. */
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

/** What a hand-written statement reads of a user beside the id. */
export type UserFields = Omit<User, "id" | "avatar_url"> & { avatar_version: string | null };

/** A user as others see it, from a row of a hand-written statement. */
export function userFromRow(id: string, row: UserFields): User {
  return {
    id,
    username: row.username,
    display_name: row.display_name,
    avatar_url: avatarUrl(id, row.avatar_version),
    is_bot: row.is_bot,
    is_active: row.is_active,
  };
}

export type CustomThemeRow = typeof customThemes.$inferSelect;

/** A saved theme as its owner sees it. */
export function toCustomTheme(row: CustomThemeRow): CustomTheme {
  const { id, name, colors, isDark, createdAt } = row;
  return { id, name, colors, is_dark: isDark, created_at: createdAt.toISOString() };
}

const DEFAULT_SIDEBAR: SidebarSettings = { sort: "name", collapsed: ["archived"], order: [] };

/**
 * An account as its user sees it.
 * @param active the saved theme that the row refers to; it is included only while it is in use
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
    email_on_missed: row.emailOnMissed,
    quiet_hours: row.quietHours,
    sound: row.sound,
    push_paused_until: row.pushPausedUntil?.toISOString() ?? null,
    push_preview: row.pushPreview,
    keywords: row.keywords,
    sidebar: { ...DEFAULT_SIDEBAR, ...row.sidebar },
    is_site_admin: row.isSiteAdmin,
    created_at: row.createdAt.toISOString(),
    version: row.version,
  };
}

const selectMe = prepareQuery("read_me", (db, params: Params<{ id: string }>) =>
  db
    .select({ user: users, active: customThemes })
    .from(users)
    .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
    .where(eq(users.id, params.id)),
);

/** An account as its user sees it. */
export async function readMe(tx: Query, userId: string): Promise<Me> {
  const [row] = await selectMe(tx, { id: userId });
  if (!row) throw new Error("readMe: no such user");
  return toMe(row.user, row.active);
}

/** Finds an account by its username or email, case-insensitively. */
export async function readUserByLogin(tx: Query, login: string): Promise<UserRow | null> {
  const folded = login.trim().toLowerCase();
  const [row] = await tx
    .select()
    .from(users)
    .where(or(eq(users.username, folded), eq(users.email, folded)))
    .limit(1);
  return row ?? null;
}

export type UserKey = { id: string } | { username: string };

/** The condition on `users` for an id, a username or an email. */
export function matchesUser(key: UserKey) {
  return "id" in key ? eq(users.id, key.id) : eq(users.username, key.username.toLowerCase());
}

/** The refusal `not_found`, which names what was looked for. */
export function makeUnknownUser(key: UserKey): Refusal {
  return new Refusal(
    "not_found",
    `There is no user ${"id" in key ? "with this id" : key.username}.`,
  );
}

/** @throws Refusal `not_found` */
export async function requireUser(tx: Query, key: UserKey): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(matchesUser(key));
  if (!row) throw makeUnknownUser(key);
  return row;
}

/** Notifies the user, and everyone in a room with them, that the account has changed. */
export async function notifyUserUpdated(tx: Transaction, userId: string): Promise<void> {
  await notifyInstances(tx, { kind: "member_updated", user_id: userId });
  await notifyInstances(tx, { kind: "me_updated", user_id: userId });
}
