import type { Drizzle } from "../database/connect.ts";
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
import { readUserByLogin, type UserRow } from "./users.ts";

const WINDOW_MINUTES = 15;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 30;

export type Caller = { address: string; userAgent: string | null };

/**
 * Signs in with a username or email.
 * @throws Refusal `invalid_credentials`, after the same work for an unknown name, a wrong password and
 * a deactivated account; `rate_limited`
 */
export async function signIn(
  db: Drizzle,
  params: { username: string; password: string },
  caller: Caller,
): Promise<{ user: UserRow; token: string }> {
  const user = await readUserByLogin(db, params.username);
  const limits: RateLimit[] = [
    {
      key: `login:address:${networkOf(caller.address)}`,
      max: MAX_FAILURES_PER_ADDRESS,
      minutes: WINDOW_MINUTES,
    },
    // By id if the account exists, so that its username and email share one count.
    {
      key: `login:account:${user?.id ?? params.username.trim().toLowerCase()}`,
      max: MAX_FAILURES_PER_ACCOUNT,
      minutes: WINDOW_MINUTES,
    },
  ];
  await countAttempt(db, limits);
  const hash = user?.isActive ? user.passwordHash : null;
  const isCorrect = await verifyPassword(params.password, hash);
  if (!isCorrect || !user || hash === null) throw wrongCredentials();
  const signedIn = await db.transaction(async (tx) => {
    const current = await lockVerifiedUser(tx, user.id, hash);
    if (!current) throw wrongCredentials();
    return { user: current, token: await createSession(tx, user.id, caller.userAgent) };
  });
  await forgiveAttempt(db, limits);
  return signedIn;
}

function wrongCredentials(): Refusal {
  return new Refusal(
    "invalid_credentials",
    "The username or password is wrong. Check both and try again.",
  );
}
