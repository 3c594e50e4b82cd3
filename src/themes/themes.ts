import { and, asc, eq, gt, sql } from "drizzle-orm";
import { lockUser, readMe, themeColumns, type ThemeRow, toCustomTheme } from "../users/users.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { customThemes, users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { cleanName } from "../platform/input/names.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_CUSTOM_THEMES, MAX_THEME_NAME_LENGTH } from "../wire/limits.ts";
import type { CustomTheme, Me, Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { CreateTheme, UpdateTheme } from "../wire/requests.ts";

export async function listThemes(
  tx: Query,
  userId: string,
  query: PageQuery,
): Promise<Page<CustomTheme>> {
  const after = decodeIdCursor(query.cursor) ?? SMALLEST_ID;
  const rows = await tx
    .select(themeColumns)
    .from(customThemes)
    .where(and(eq(customThemes.userId, userId), gt(customThemes.id, after)))
    .orderBy(asc(customThemes.id))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, (row) => row.id, toCustomTheme);
}

/** @throws Refusal `validation`, `too_many_themes` */
export function createTheme(
  db: Drizzle,
  userId: string,
  params: CreateTheme,
): Promise<CustomTheme> {
  const values = {
    name: cleanName(params.name, "/name", MAX_THEME_NAME_LENGTH),
    colors: params.colors,
    isDark: params.is_dark,
  };
  return db.transaction(async (tx) => {
    await lockThemes(tx, userId);
    if ((await tx.$count(customThemes, eq(customThemes.userId, userId))) >= MAX_CUSTOM_THEMES) {
      const detail = `You have ${MAX_CUSTOM_THEMES} saved themes. Delete one first.`;
      throw new Refusal("too_many_themes", detail);
    }
    const [row] = await tx
      .insert(customThemes)
      .values({ id: Bun.randomUUIDv7(), userId, ...values })
      .returning(themeColumns);
    return toCustomTheme(row as ThemeRow);
  });
}

/** @throws Refusal `validation`, `not_found` */
export function updateTheme(
  db: Drizzle,
  userId: string,
  themeId: string,
  { name, colors, is_dark }: UpdateTheme,
): Promise<CustomTheme> {
  return db.transaction(async (tx) => {
    const user = await lockThemes(tx, userId);
    const theme = await requireTheme(tx, userId, themeId);
    const values = {
      name: name === undefined ? theme.name : cleanName(name, "/name", MAX_THEME_NAME_LENGTH),
      colors: { ...theme.colors, ...colors },
      isDark: is_dark ?? theme.is_dark,
    };
    const [row] = await tx
      .update(customThemes)
      .set(values)
      .where(eq(customThemes.id, themeId))
      .returning(themeColumns);
    if (user.activeCustomThemeId === themeId) await notifyThemeChanged(tx, userId);
    return toCustomTheme(row as ThemeRow);
  });
}

/** If the theme is active, a preset replaces it. @throws Refusal `not_found` */
export function deleteTheme(db: Drizzle, userId: string, themeId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const user = await lockThemes(tx, userId);
    const { is_dark: isDark } = await requireTheme(tx, userId, themeId);
    if (user.activeCustomThemeId === themeId) {
      const preset = isDark ? "dark" : "light";
      const theme = user.theme === "custom" ? preset : user.theme;
      await tx.update(users).set({ theme, activeCustomThemeId: null }).where(eq(users.id, userId));
      await notifyThemeChanged(tx, userId);
    }
    await tx.delete(customThemes).where(eq(customThemes.id, themeId));
  });
}

/** @throws Refusal `not_found` */
export function activateTheme(db: Drizzle, userId: string, themeId: string): Promise<Me> {
  return db.transaction(async (tx) => {
    await lockThemes(tx, userId);
    await requireTheme(tx, userId, themeId);
    await tx
      .update(users)
      .set({ theme: "custom", activeCustomThemeId: themeId, followsSystem: false })
      .where(eq(users.id, userId));
    await notifyThemeChanged(tx, userId);
    return readMe(tx, userId);
  });
}

/** Locks the user's row, so that `theme` and the active saved theme stay consistent. */
const lockThemes = (tx: Transaction, userId: string) => lockUser(tx, { id: userId });

/** @throws Refusal `not_found`, also for another user's theme */
async function requireTheme(tx: Query, userId: string, themeId: string): Promise<ThemeRow> {
  const [theme] = await tx
    .select(themeColumns)
    .from(customThemes)
    .where(and(eq(customThemes.id, themeId), eq(customThemes.userId, userId)));
  if (!theme) throw new Refusal("not_found", "You have no such theme.");
  return theme;
}

async function notifyThemeChanged(tx: Transaction, userId: string): Promise<void> {
  // The saved theme is part of `Me`, so its changes increment the user's version.
  await tx
    .update(users)
    .set({ version: sql`${users.version}` })
    .where(eq(users.id, userId));
  await notifyInstances(tx, { kind: "me_updated", user_id: userId });
}
