import { eq, or } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { customThemes, users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import type { CustomTheme, Me, SidebarSettings, User } from "../wire/models.ts";

export type UserRow = typeof users.$inferSelect;

/** The columns that `toUser` reads. */
export const userColumns = {
  id: users.id,
  username: users.username,
  display_name: users.displayName,
  avatar_version: users.avatarVersion,
  is_bot: users.isBot,
  is_active: users.isActive,
  profile_version: users.profileVersion,
};

const USER_FIELDS = [
  "username",
  "display_name",
  "avatar_version",
  "is_bot",
  "is_active",
  "profile_version",
];

/**
 * SQL: the columns of `UserFields`.
 * @param name the alias of `users`
 */
export function userFields(name: string): string {
  return USER_FIELDS.map((field) => `${name}.${field}`).join(", ");
}

/**
 * SQL: the arguments of `json_build_object` for `UserFields`.
 * @param name the alias of `users`
 */
export function userFieldsJson(name: string): string {
  return USER_FIELDS.map((field) => `'${field}', ${name}.${field}`).join(", ");
}

export function displayNameOf(user: Pick<UserRow, "username" | "displayName">): string {
  return user.displayName ?? user.username;
}

/** The row that `toUser` reads, without its id. */
export type UserFields = Omit<User, "id" | "avatar_url"> & { avatar_version: string | null };

export function toUser(row: UserFields & { id: string }): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    // The URL changes with the picture.
    avatar_url: row.avatar_version && `/api/users/${row.id}/avatar?v=${row.avatar_version}`,
    is_bot: row.is_bot,
    is_active: row.is_active,
    profile_version: row.profile_version,
  };
}

export const themeColumns = {
  id: customThemes.id,
  name: customThemes.name,
  colors: customThemes.colors,
  is_dark: customThemes.isDark,
  created_at: customThemes.createdAt,
};
export type ThemeRow = Pick<CustomTheme, "id" | "name" | "colors" | "is_dark"> & {
  created_at: Date;
};

export function toCustomTheme({ id, name, colors, is_dark, created_at }: ThemeRow): CustomTheme {
  return { id, name, colors, is_dark, created_at: created_at.toISOString() };
}

const DEFAULT_SIDEBAR: SidebarSettings = { sort: "name", collapsed: ["archived"], order: [] };

/** The columns that `toMe` reads. The query joins the theme of `users.active_custom_theme_id`. */
export const meColumns = {
  ...userColumns,
  email: users.email,
  theme: users.theme,
  follows_system: users.followsSystem,
  active_custom_theme_id: users.activeCustomThemeId,
  active_custom_theme: themeColumns,
  appear_offline: users.appearOffline,
  email_on_added: users.emailOnAdded,
  email_on_missed: users.emailOnMissed,
  quiet_hours: users.quietHours,
  time_zone: users.timeZone,
  sound: users.sound,
  push_paused_until: users.pushPausedUntil,
  push_preview: users.pushPreview,
  keywords: users.keywords,
  sidebar: users.sidebar,
  is_site_admin: users.isSiteAdmin,
  created_at: users.createdAt,
  version: users.version,
};
type MeRow = Awaited<ReturnType<typeof selectMe>>[number];

/** An account as its user sees it. The custom theme is included only while it is in use. */
export function toMe(row: MeRow): Me {
  const { active_custom_theme: customTheme } = row;
  return {
    ...toUser(row),
    email: row.email,
    theme: row.theme,
    follows_system: row.follows_system,
    active_custom_theme_id: row.active_custom_theme_id,
    active_custom_theme: row.theme === "custom" && customTheme ? toCustomTheme(customTheme) : null,
    appear_offline: row.appear_offline,
    email_on_added: row.email_on_added,
    email_on_missed: row.email_on_missed,
    quiet_hours: row.quiet_hours,
    time_zone: row.time_zone,
    sound: row.sound,
    push_paused_until: row.push_paused_until?.toISOString() ?? null,
    push_preview: row.push_preview,
    keywords: row.keywords,
    sidebar: { ...DEFAULT_SIDEBAR, ...row.sidebar },
    is_site_admin: row.is_site_admin,
    created_at: row.created_at.toISOString(),
    version: row.version,
  };
}

function selectMe(tx: Query, userId: string) {
  return tx
    .select(meColumns)
    .from(users)
    .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
    .where(eq(users.id, userId));
}

export async function readMe(tx: Query, userId: string): Promise<Me> {
  const [row] = await selectMe(tx, userId);
  if (!row) throw new Error("readMe: no such user");
  return toMe(row);
}

/** Finds an account by its username or email, case-insensitively. */
export async function readUserByLogin(tx: Query, login: string): Promise<UserRow | null> {
  const lowerCaseLogin = login.trim().toLowerCase();
  const [row] = await tx
    .select()
    .from(users)
    .where(or(eq(users.username, lowerCaseLogin), eq(users.email, lowerCaseLogin)))
    .limit(1);
  return row ?? null;
}

export type UserKey = { id: string } | { username: string };

function matchesUser(key: UserKey) {
  return "id" in key ? eq(users.id, key.id) : eq(users.username, key.username.toLowerCase());
}

export function makeUnknownUserRefusal(key: UserKey): Refusal {
  return new Refusal(
    "not_found",
    `There is no user ${"id" in key ? "with this id" : `named ${key.username}`}.`,
  );
}

/** @throws Refusal `not_found` */
export async function requireUser(tx: Query, key: UserKey): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(matchesUser(key));
  if (!row) throw makeUnknownUserRefusal(key);
  return row;
}

/** Notifies the user, and everyone in a room with them, that the account has changed. */
export async function notifyUserUpdated(tx: Transaction, userId: string): Promise<void> {
  const user_id = userId;
  await notifyInstances(tx, { kind: "member_updated", user_id }, { kind: "me_updated", user_id });
}

/**
 * Locks an account's row. Every change to who may sign in locks it first (a new password, a session, a
 * reset link, a deactivation), so that it sees what the previous change committed.
 * @throws Refusal `not_found`
 */
export async function lockUser(tx: Transaction, key: UserKey): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(matchesUser(key)).for("no key update");
  if (!row) throw makeUnknownUserRefusal(key);
  return row;
}

export async function updateUser(
  tx: Transaction,
  user: UserRow,
  values: Partial<UserRow>,
): Promise<UserRow> {
  const [row] = await tx.update(users).set(values).where(eq(users.id, user.id)).returning();
  await notifyUserUpdated(tx, user.id);
  return row as UserRow;
}
