import { timingSafeEqual } from "node:crypto";
import type { RateLimit } from "../rate-limits/rate-limits.ts";
import { deriveToken, randomToken, type ReadKey, type SecretKeys } from "../platform/secrets.ts";
import type { Cookie } from "./cookie.ts";
import { accountLimit, addressLimit, browserLimit } from "./login-limits.ts";

/**
 * A browser in which someone has signed in before counts its own failures, so that strangers who guess at
 * an account do not lock its owner out. Its cookie is a random id, and for each account a MAC of both.
 */

type BrowserDeps = { browser: Cookie; readKey: ReadKey };

/** The limit of accounts that a browser knows; the oldest is forgotten. */
const MAX_ACCOUNTS = 5;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The limits on failures of a sign-in. @param userId null for an unknown account, named `account` */
export async function findSignInLimits(
  deps: BrowserDeps,
  request: Request,
  { userId, account, address }: { userId: string | null; account: string; address: string },
): Promise<RateLimit[]> {
  const { id, macs } = readBrowser(deps, request);
  if (userId !== null && macs.length > 0) {
    const keys = await deps.readKey();
    if (keys.some((key) => macs.some((mac) => isSame(mac, makeMac([key], id, userId))))) {
      return [browserLimit(userId, id)];
    }
  }
  return [addressLimit(address), accountLimit(account)];
}

/** The `Set-Cookie` value of a browser in which someone has just signed in. */
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

/** What the cookie says; a new browser if it says nothing. */
function readBrowser({ browser }: BrowserDeps, request: Request): { id: string; macs: string[] } {
  const [id = "", ...macs] = (browser.read(request) ?? "").split(".");
  const isOurs = [id, ...macs].every((part) => TOKEN.test(part)) && macs.length <= MAX_ACCOUNTS;
  return isOurs ? { id, macs } : { id: randomToken(), macs: [] };
}

function makeMac(keys: SecretKeys, id: string, userId: string): string {
  return deriveToken(keys, "known browser", `${id} ${userId}`);
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
