import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { rateLimits } from "../database/schema.ts";
import { networkOf, type RateLimit } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";
import { sessionIdOf } from "./sessions.ts";

const WINDOW_MINUTES = 15;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 30;

/** The limit on failures of an account in browsers that it does not know: passwords and codes. */
export function accountLimit(account: string): RateLimit {
  return {
    key: `login:account:${account}`,
    max: MAX_FAILURES_PER_ACCOUNT,
    minutes: WINDOW_MINUTES,
  };
}

/** The limit on failures of an account in a browser in which it was signed in to before. */
export function browserLimit(userId: string, browserId: string): RateLimit {
  return {
    key: `login:browser:${userId}:${browserId}`,
    max: MAX_FAILURES_PER_ACCOUNT,
    minutes: WINDOW_MINUTES,
  };
}

/** The limit on wrong proofs in a session. Strangers who guess at the account do not use it up. */
export function sessionLimit(actor: Actor): RateLimit {
  return {
    key: `login:session:${actor.id}:${sessionIdOf(actor)}`,
    max: MAX_FAILURES_PER_ACCOUNT,
    minutes: WINDOW_MINUTES,
  };
}

/** Forgets the failures of an account, so that its owner can sign in at once. */
export async function clearFailures(tx: Query, userId: string): Promise<void> {
  const prefixes = ["browser", "session"].map((kind) => `login:${kind}:${userId}:%`);
  await tx
    .delete(rateLimits)
    .where(
      sql`${rateLimits.key} = ${accountLimit(userId).key} or ${rateLimits.key} like any(${sql.param(prefixes)}::text[])`,
    );
}

/** The limit on failures from a network, for all accounts together. */
export function addressLimit(address: string): RateLimit {
  return {
    key: `login:address:${networkOf(address)}`,
    max: MAX_FAILURES_PER_ADDRESS,
    minutes: WINDOW_MINUTES,
  };
}
