import type { Cookie } from "../authentication/cookies.ts";
import type { Authenticator } from "../authentication/guard.ts";
import type { Database } from "../database/connect.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";

/**
 * `challenge` and `browser` are the cookies of a sign-in that waits for its second factor, and of a browser in
 * which someone has signed in before.
 */
export type SignInDeps = {
  database: Database;
  authenticator: Authenticator;
  challenge: Cookie;
  browser: Cookie;
  readKey: ReadKey;
  baseUrl: string;
  config: { baseUrl: string | null };
};
