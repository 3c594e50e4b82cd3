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
  /** The id of a person's session; null for a bot. */
  sessionId: string | null;
  /**
   * Until the user turns on a second factor, only the routes below `/api/auth/` accept the session.
   */
  isRestricted: boolean;
  /** A bot's token; null for a person, whom only roles restrict. */
  token: Token | null;
  /** The session was extended, so the response must set its cookie again. */
  renewed: boolean;
};

/** Who a caller is, and whether a token restricts what they may read. */
export type Caller = Pick<Actor, "id" | "token">;

/** Whether the caller may read messages of others: a person, or a token with the scope. */
export function mayReadMessages({ token }: Pick<Actor, "token">): boolean {
  return token === null || token.scopes.includes("read:messages");
}
