import { timingSafeEqual } from "node:crypto";
import type { Cookie } from "../authentication/cookies.ts";
import { sessionIdOf } from "../authentication/sessions.ts";
import type { Query } from "../database/connect.ts";
import { limitedNetwork } from "../platform/networks.ts";
import {
  deriveToken,
  randomToken,
  type ReadKey,
  type SecretKeys,
} from "../platform/secrets/secrets.ts";
import { clearAttempts, type RateLimit } from "../rate-limits/rate-limits.ts";
import type { Actor } from "../routing/actor.ts";

const WINDOW_MINUTES = 15;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 30;

function limitOf(target: string, max = MAX_FAILURES_PER_ACCOUNT): RateLimit {
  return { key: `login:${target}`, max, minutes: WINDOW_MINUTES };
}

/** Limits wrong passwords and codes for an account, from browsers in which its user has not signed in before. */
function accountLimit(account: string): RateLimit {
  return limitOf(`account:${account}`);
}

/** Limits failed reauthentications in a session. It is separate, so that strangers who guess cannot exhaust it. */
export function sessionLimit(actor: Actor): RateLimit {
  return limitOf(`session:${actor.id}:${sessionIdOf(actor)}`);
}

/** Clears the failures for an account, so that its owner can sign in at once. */
export async function clearFailures(tx: Query, userId: string): Promise<void> {
  const prefixes = ["browser", "session"].map((kind) => `login:${kind}:${userId}:`);
  await clearAttempts(tx, { keys: [accountLimit(userId).key], prefixes });
}

export function addressLimit(address: string): RateLimit {
  return limitOf(`address:${limitedNetwork(address)}`, MAX_FAILURES_PER_ADDRESS);
}

/**
 * A browser in which someone has signed in before has its own limit, so that strangers who guess at an
 * account do not lock its owner out. Its cookie holds a random id, and a MAC of the id and the account for
 * each account.
 */

type BrowserDeps = { browser: Cookie; readKey: ReadKey };

/** The maximum number of accounts in a browser's cookie. The oldest is dropped. */
const MAX_ACCOUNTS = 5;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** @param userId null if there is no such account; `account` is then what the caller typed */
export async function findSignInLimits(
  deps: BrowserDeps,
  request: Request,
  { userId, account, address }: { userId: string | null; account: string; address: string },
): Promise<RateLimit[]> {
  const { id, macs } = readBrowser(deps, request);
  if (userId !== null && macs.length > 0) {
    const keys = await deps.readKey();
    const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));
    if (keys.some((key) => macs.some((mac) => isSame(mac, makeMac([key], id, userId))))) {
      return [limitOf(`browser:${userId}:${id}`)];
    }
  }
  return [addressLimit(address), accountLimit(account)];
}

/** @returns the `Set-Cookie` value of a browser in which someone has just signed in */
export async function rememberBrowser(
  deps: BrowserDeps,
  request: Request,
  userId: string,
): Promise<string> {
  const { id, macs } = readBrowser(deps, request);
  const mac = makeMac(await deps.readKey(), id, userId);
  const others = macs.filter((other) => other !== mac).slice(0, MAX_ACCOUNTS - 1);
  return deps.browser.write([id, mac, ...others].join("."));
}

/** A browser without a valid cookie gets a new id. */
function readBrowser({ browser }: BrowserDeps, request: Request): { id: string; macs: string[] } {
  const [id = "", ...macs] = (browser.read(request) ?? "").split(".");
  const isOurs = [id, ...macs].every((part) => TOKEN.test(part)) && macs.length <= MAX_ACCOUNTS;
  return isOurs ? { id, macs } : { id: randomToken(), macs: [] };
}

function makeMac(keys: SecretKeys, id: string, userId: string): string {
  return deriveToken(keys, "known browser", `${id} ${userId}`);
}
