import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import { pickDefined } from "../platform/input/shape.ts";
import { parseTime, requireTimeZone } from "../platform/input/time.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_KEYWORD_LENGTH, MAX_PUSH_PAUSE_DAYS, MIN_KEYWORD_LENGTH } from "../wire/limits.ts";
import type { UpdateMe } from "../wire/requests.ts";
import { foldText, splitText } from "../wire/search-tokens.ts";
import { cleanDisplayName } from "./create-user.ts";

/** @throws Refusal `validation` */
export async function updateMe(db: Drizzle, actor: Actor, params: UpdateMe): Promise<void> {
  const { display_name, theme, quiet_hours, time_zone, keywords, push_paused_until, sidebar } =
    params;
  if (quiet_hours) requireTimeZone(quiet_hours.time_zone, "/quiet_hours/time_zone");
  if (time_zone != null) requireTimeZone(time_zone, "/time_zone");
  const values = pickDefined({
    displayName: display_name === undefined ? undefined : cleanDisplayName(display_name),
    theme,
    // Choosing a theme stops following the system, unless the request says otherwise.
    followsSystem: params.follows_system ?? (theme === undefined ? undefined : false),
    appearOffline: params.appear_offline,
    emailOnAdded: params.email_on_added,
    emailOnMissed: params.email_on_missed,
    quietHours: quiet_hours,
    timeZone: time_zone,
    sound: params.sound,
    pushPreview: params.push_preview,
    keywords: keywords && cleanKeywords(keywords),
    pushPausedUntil: push_paused_until === undefined ? undefined : checkPause(push_paused_until),
    // Merges the fields that are present, because another device may be changing the others.
    sidebar: sidebar && sql`${users.sidebar} || ${JSON.stringify(sidebar)}::jsonb`,
  });
  if (Object.keys(values).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.update(users).set(values).where(eq(users.id, actor.id));
    const othersSee = values.displayName !== undefined || values.appearOffline !== undefined;
    if (othersSee) await notifyInstances(tx, { kind: "member_updated", user_id: actor.id });
    if (values.keywords !== undefined) await notifyInstances(tx, { kind: "keywords_changed" });
    await notifyInstances(tx, { kind: "me_updated", user_id: actor.id });
  });
}

/**
 * Removes duplicates: of keywords that differ only in case or accents, the first is retained.
 * @throws Refusal `validation` unless each is a word of 2 to 40 characters
 */
function cleanKeywords(words: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const [i, text] of words.entries()) {
    const word = text.normalize("NFC").trim();
    const length = [...word].length;
    const isWord = splitText(word).some(({ kind }) => kind !== "sign") && !/\s/u.test(word);
    if (!isWord || length < MIN_KEYWORD_LENGTH || length > MAX_KEYWORD_LENGTH) {
      const message = `One word of ${MIN_KEYWORD_LENGTH} to ${MAX_KEYWORD_LENGTH} characters, without spaces.`;
      throw makeFieldRefusal(`/keywords/${i}`, message);
    }
    const key = foldText(word);
    if (!byKey.has(key)) byKey.set(key, word);
  }
  return [...byKey.values()];
}

const DAY_MS = 86_400_000;

/** @throws Refusal `validation` for an invalid time or one too far ahead */
function checkPause(until: string | null): Date | null {
  if (until === null) return null;
  const time = parseTime(until, "/push_paused_until");
  if (time.getTime() > Date.now() + MAX_PUSH_PAUSE_DAYS * DAY_MS) {
    const message = `Notifications can be paused for at most ${MAX_PUSH_PAUSE_DAYS} days.`;
    throw makeFieldRefusal("/push_paused_until", message);
  }
  return time;
}
