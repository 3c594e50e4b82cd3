import {
  BROWSER_COOKIE,
  CHALLENGE_COOKIE,
  FLOW_COOKIE,
  SECURE_SESSION_COOKIE,
  SESSION_COOKIE,
} from "../wire/limits.ts";
import { SESSION_DAYS } from "./sessions.ts";

export type Cookie = {
  name: string;
  read(request: Request): string | null;
  /** A `Set-Cookie` value. */
  write(token: string): string;
  /** A `Set-Cookie` value that removes the cookie. */
  clear(): string;
};

/** How long a sign-in may wait for a second factor, and how long it may stay at a provider. */
export const CHALLENGE_MINUTES = 5;
export const FLOW_MINUTES = 10;

/** The session cookie for an address: `Secure` and `__Host-` over https (RFC 6265bis). */
export function sessionCookie(baseUrl: string): Cookie {
  return createCookie(baseUrl, SESSION_COOKIE, SECURE_SESSION_COOKIE, SESSION_DAYS * 86_400);
}

/** The cookie of a sign-in that waits for its second factor. */
export function challengeCookie(baseUrl: string): Cookie {
  const secure = `__Host-${CHALLENGE_COOKIE}`;
  return createCookie(baseUrl, CHALLENGE_COOKIE, secure, CHALLENGE_MINUTES * 60);
}

/** Binds a sign-in at a provider to the browser that started it. */
export function flowCookie(baseUrl: string): Cookie {
  return createCookie(baseUrl, FLOW_COOKIE, `__Host-${FLOW_COOKIE}`, FLOW_MINUTES * 60);
}

const BROWSER_DAYS = 365;

/** Identifies a browser in which someone has signed in before. */
export function browserCookie(baseUrl: string): Cookie {
  const secure = `__Host-${BROWSER_COOKIE}`;
  return createCookie(baseUrl, BROWSER_COOKIE, secure, BROWSER_DAYS * 86_400);
}

function createCookie(baseUrl: string, plainName: string, secureName: string, seconds: number) {
  const secure = baseUrl.startsWith("https:");
  const name = secure ? secureName : plainName;
  const serialize = (value: string, maxAge: number) =>
    new Bun.Cookie(name, value, {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure,
      maxAge,
    }).serialize();
  return {
    name,
    read: (request: Request) =>
      new Bun.CookieMap(request.headers.get("cookie") ?? "").get(name) || null,
    write: (token: string) => serialize(token, seconds),
    clear: () => serialize("", 0),
  };
}
