import type { Scope } from "../wire/scopes.ts";

export type Token = {
  id: string;
  scopes: readonly Scope[];
  /** Milliseconds until the token expires; null if it does not. */
  msLeft: number | null;
};

/** The authenticated caller, read from the database for each request. */
export type Actor = {
  id: string;
  username: string;
  isSiteAdmin: boolean;
  /** The id of a person's session; null for a bot. */
  sessionId: string | null;
  /** Restricts the session to routes below `/api/auth/` until the user sets up a second factor. */
  isRestricted: boolean;
  /** A bot's token; null for a person, whom only roles restrict. */
  token: Token | null;
  /** Whether the session was extended, so that the response must set its cookie again. */
  wasRenewed: boolean;
};

/** The identity of a caller, and the token that may restrict what they can read. */
export type Caller = Pick<Actor, "id" | "token">;

/** Whether the caller may read other people's messages: people may, bots need a token with the scope. */
export function mayReadMessages({ token }: Pick<Actor, "token">): boolean {
  return token === null || token.scopes.includes("read:messages");
}
