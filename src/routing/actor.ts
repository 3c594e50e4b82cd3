import type { Scope } from "../wire/scopes.ts";
/** What a bot calls with, and what it allows. */
export type Token = {
  id: string;
  scopes: readonly Scope[];
  /** How long it is still valid, in ms; null where it does not expire. */
  msLeft: number | null;
};

/** Who calls. Read from the database at every request, so a deactivation counts at once. */
export type Actor = {
  id: string;
  username: string;
  isSiteAdmin: boolean;
  /** A person's session; null for a bot. */
  sessionId: string | null;
  /** A bot's token; null for a person, who may do all that the roles allow. */
  token: Token | null;
  /** Set when the session was extended: the cookie must be sent again. */
  renewed: boolean;
};
