import { BROWSER_COOKIE, CHALLENGE_COOKIE, FLOW_COOKIE, SESSION_COOKIE } from "../wire/limits.ts";
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
const BROWSER_DAYS = 365;

export function createCookies(baseUrl: string) {
  return {
    session: createCookie(baseUrl, SESSION_COOKIE, SESSION_DAYS * 86_400),
    /** A sign-in that waits for its second factor. */
    challenge: createCookie(baseUrl, CHALLENGE_COOKIE, CHALLENGE_MINUTES * 60),
    /** Binds a sign-in at a provider to the browser that started it. */
    flow: createCookie(baseUrl, FLOW_COOKIE, FLOW_MINUTES * 60),
    /** Identifies a browser in which someone has signed in before. */
    browser: createCookie(baseUrl, BROWSER_COOKIE, BROWSER_DAYS * 86_400),
  };
}

/** `Secure` and `__Host-` over https: browsers accept that name only there (RFC 6265bis, 4.1.3.2). */
function createCookie(baseUrl: string, plainName: string, seconds: number): Cookie {
  const secure = baseUrl.startsWith("https:");
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  const serialize = (value: string, maxAge: number) =>
    new Bun.Cookie(name, value, { ...attributes, maxAge }).serialize();
  return {
    name,
    read: (request) => new Bun.CookieMap(request.headers.get("cookie") ?? "").get(name) || null,
    write: (token) => serialize(token, seconds),
    clear: () => serialize("", 0),
  };
}
