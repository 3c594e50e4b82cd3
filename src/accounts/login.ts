import type { Database } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import {
  countAttempt,
  forgiveAttempt,
  networkOf,
  type RateLimit,
} from "../rate-limits/rate-limits.ts";
import { lockVerifiedUser } from "./lock-user.ts";
import { verifyPassword } from "./passwords.ts";
import { createSession } from "./sessions.ts";
import { findByLogin, type UserRow } from "./users.ts";

const MINUTES = 15;
const FAILURES_OF_ACCOUNT = 10;
const FAILURES_OF_ADDRESS = 30;

export type Caller = { address: string; userAgent: string | null };

/**
 * Signs in with a username or email.
 * @throws Refusal `invalid_credentials`, the same and after the same work for an unknown name, a
 * bad password and a deactivated account; `rate_limited`
 */
export async function login(
  { db, sql }: Database,
  given: { username: string; password: string },
  caller: Caller,
): Promise<{ user: UserRow; token: string }> {
  const user = await findByLogin(db, given.username);
  const limits: RateLimit[] = [
    {
      key: `login:address:${networkOf(caller.address)}`,
      max: FAILURES_OF_ADDRESS,
      minutes: MINUTES,
    },
    // By id if there is one, so that the name and the email of an account share a count.
    {
      key: `login:account:${user?.id ?? given.username.trim().toLowerCase()}`,
      max: FAILURES_OF_ACCOUNT,
      minutes: MINUTES,
    },
  ];
  await countAttempt(sql, limits);
  const hash = user?.isActive ? user.passwordHash : null;
  const isRight = await verifyPassword(given.password, hash);
  if (!isRight || !user || hash === null) throw wrongCredentials();
  const opened = await db.transaction(async (tx) => {
    const current = await lockVerifiedUser(tx, user.id, hash);
    if (!current) throw wrongCredentials();
    return { user: current, token: await createSession(tx, user.id, caller.userAgent) };
  });
  await forgiveAttempt(sql, limits);
  return opened;
}

function wrongCredentials(): Refusal {
  return new Refusal(
    "invalid_credentials",
    "The username or password is wrong. Check both and try again.",
  );
}
