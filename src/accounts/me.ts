import { eq } from "drizzle-orm";
import type { Database, Drizzle } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { invalid, type Refusal } from "../platform/refusal.ts";
import { timeOf } from "../platform/time.ts";
import { countAttempt, forgiveAttempt, type RateLimit } from "../rate-limits/rate-limits.ts";
import { MAX_PUSH_PAUSE_DAYS } from "../wire/limits.ts";
import type { UpdateMe } from "../wire/requests.ts";
import { lockSession, lockVerifiedUser } from "./lock-user.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { putPassword } from "./resets.ts";
import type { Actor } from "../routing/actor.ts";
import { endSessions, sessionOf } from "./sessions.ts";
import { cleanDisplayName, type UserRow } from "./users.ts";

/**
 * Changes what is given and leaves the rest.
 * @throws Refusal `validation`
 */
export async function updateMe(db: Drizzle, actor: Actor, given: UpdateMe): Promise<void> {
  const values: Partial<UserRow> = {};
  if (given.display_name !== undefined) values.displayName = cleanDisplayName(given.display_name);
  if (given.theme !== undefined) values.theme = given.theme;
  // Whoever chooses a theme wants that one, unless it says otherwise.
  const follows = given.follows_system ?? (given.theme === undefined ? undefined : false);
  if (follows !== undefined) values.followsSystem = follows;
  if (given.appear_offline !== undefined) values.appearOffline = given.appear_offline;
  if (given.email_on_added !== undefined) values.emailOnAdded = given.email_on_added;
  if (given.push_paused_until !== undefined) {
    values.pushPausedUntil = checkPause(given.push_paused_until);
  }
  if (Object.keys(values).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.update(users).set(values).where(eq(users.id, actor.id));
    const othersSee = values.displayName !== undefined || values.appearOffline !== undefined;
    if (othersSee) await notifyInstances(tx, { kind: "member_updated", user_id: actor.id });
    await notifyInstances(tx, { kind: "me_updated", user_id: actor.id });
  });
}

const DAY_MS = 86_400_000;

/** @throws Refusal `validation` for a time that is none or too far away */
function checkPause(until: string | null): Date | null {
  if (until === null) return null;
  const time = timeOf(until, "/push_paused_until");
  const most = Date.now() + MAX_PUSH_PAUSE_DAYS * DAY_MS;
  if (time.getTime() > most) {
    const message = `Notifications can be paused for ${MAX_PUSH_PAUSE_DAYS} days at most.`;
    throw invalid("/push_paused_until", message);
  }
  return time;
}

/**
 * Changes the caller's password; the caller's other sessions end. Wrong guesses at the current one
 * are limited as at the sign-in: a session that was left open must not tell the password.
 * @throws Refusal `validation` at `/current_password` or `/new_password`; `rate_limited`;
 * `unauthenticated` if the session ended meanwhile
 */
export async function changePassword(
  { db, sql }: Database,
  actor: Actor,
  given: { current_password: string; new_password: string },
): Promise<void> {
  const [me] = await db
    .select({ passwordHash: users.passwordHash, username: users.username, email: users.email })
    .from(users)
    .where(eq(users.id, actor.id));
  const limits: RateLimit[] = [{ key: `password:account:${actor.id}`, max: 10, minutes: 15 }];
  await countAttempt(sql, limits);
  const checkedHash = me?.passwordHash ?? null;
  const isRight = await verifyPassword(given.current_password, checkedHash);
  if (!isRight || checkedHash === null) throw wrongPassword();
  await forgiveAttempt(sql, limits);
  const known = [me?.username ?? "", me?.email ?? ""];
  const passwordHash = await hashPassword(given.new_password, known, "/new_password");
  await db.transaction(async (tx) => {
    const current = await lockVerifiedUser(tx, actor.id, checkedHash);
    await lockSession(tx, actor);
    if (!current) throw wrongPassword();
    await putPassword(tx, actor.id, passwordHash);
    await endSessions(tx, actor.id, { except: sessionOf(actor) });
  });
}

function wrongPassword(): Refusal {
  return invalid("/current_password", "This is not your current password.");
}
