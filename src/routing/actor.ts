import type { Scope } from "../wire/scopes.ts";

/** A bot's token. */
export type Token = {
  id: string;
  scopes: readonly Scope[];
  /** Milliseconds until it expires; null if it does not. */
  msLeft: number | null;
};

/** The authenticated caller, read from the database for each request. */
export type Actor = {
  id: string;
  username: string;
  isSiteAdmin: boolean;
  /** A person's session; null for a bot. */
  sessionId: string | null;
  /** Only the routes of sign-in accept the session, until its user turns on a second factor. */
  isRestricted: boolean;
  /** A bot's token; null for a person, whom only roles restrict. */
  token: Token | null;
  /** The session was extended, so its cookie must be set again. */
  renewed: boolean;
};

/** Whether the caller may be shown what others wrote: a person, or a token that allows reading. */
export function mayReadMessages({ token }: Pick<Actor, "token">): boolean {
  return token === null || token.scopes.includes("read:messages");
}
