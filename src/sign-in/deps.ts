import type { Cookie } from "../accounts/cookie.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import type { ReadKey } from "../platform/secrets.ts";

/**
 * What signing in works with. `challenge` is the cookie between a password and a second factor, `browser`
 * that of a browser in which people have signed in.
 */
export type SignInDeps = {
  database: Database;
  identifier: Identifier;
  challenge: Cookie;
  browser: Cookie;
  readKey: ReadKey;
  baseUrl: string;
  config: { baseUrl: string | null };
};
