import { USERNAME_PATTERN } from "../wire/patterns.ts";
import { isBroadcast } from "../wire/markdown/extract.ts";
import type { ProviderRow } from "./connection.ts";

/** A person's identity, as a provider describes it. */
export type Claims = {
  issuer: string;
  subject: string;
  /** In lower case; null if the provider has none. */
  email: string | null;
  /** Whether the provider has verified the address, as far as the administrator trusts it. */
  isEmailVerified: boolean;
  name: string | null;
  username: string | null;
  picture: string | null;
  groups: string[];
  /** The provider's id of its session, with which it ends ours. */
  sid: string | null;
  /** Whether the sign-in there included a second factor (RFC 8176). */
  hasSecondFactor: boolean;
};

type Raw = { iss: string; sub: string; [name: string]: unknown };

/** Reads the claims of a checked ID token, and of the user info beside it. */
export function readClaims(provider: ProviderRow, claims: Raw): Claims {
  const email = textOf(claims.email)?.trim().toLowerCase() || null;
  const groups = provider.groupsClaim === null ? [] : claims[provider.groupsClaim];
  const methods = Array.isArray(claims.amr) ? claims.amr : [];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    isEmailVerified: email !== null && isVerified(provider, claims.email_verified),
    name: textOf(claims.name),
    username: textOf(claims.preferred_username),
    picture: textOf(claims.picture),
    groups: [groups].flat().filter((group) => typeof group === "string"),
    sid: textOf(claims.sid),
    hasSecondFactor: provider.countsAsSecondFactor || methods.includes("mfa"),
  };
}

/** If a provider says that an address is not verified, it is not, whatever the administrator trusts. */
function isVerified({ trustsEmail }: ProviderRow, claim: unknown): boolean {
  if (claim === undefined || claim === null) return trustsEmail;
  return claim === true || claim === "true";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

const MAX_USERNAME = 32;
/** Leaves room for a number after a username that is taken. */
const MAX_NUMBERED = 50;

/** Usernames for a new account, in the order in which they are tried. */
export function listUsernames({ username, name, email }: Claims): string[] {
  const bases = [username?.split("@")[0], email?.split("@")[0], name, "user"]
    .map((text) => foldUsername(text ?? ""))
    .filter((text) => new RegExp(USERNAME_PATTERN).test(text) && !isBroadcast(text));
  return bases.flatMap((base) => [
    base,
    ...Array.from({ length: MAX_NUMBERED }, (_, i) => {
      const number = String(i + 2);
      return base.slice(0, MAX_USERNAME - number.length).replace(/[._-]+$/, "") + number;
    }),
  ]);
}

function foldUsername(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, MAX_USERNAME)
    .replace(/^[._-]+|[._-]+$/g, "");
}
