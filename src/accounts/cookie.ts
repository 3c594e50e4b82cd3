import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from "../wire/limits.ts";
import { SESSION_DAYS } from "./sessions.ts";

export type SessionCookie = {
  name: string;
  read(request: Request): string | null;
  /** A `Set-Cookie` value. */
  write(token: string): string;
  /** A `Set-Cookie` value that removes it. */
  clear(): string;
};

/** The session cookie for an address: `Secure` and `__Host-` over https (RFC 6265bis). */
export function sessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith("https:");
  const name = secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
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
    read: (request) => new Bun.CookieMap(request.headers.get("cookie") ?? "").get(name),
    write: (token) => serialize(token, SESSION_DAYS * 86_400),
    clear: () => serialize("", 0),
  };
}
