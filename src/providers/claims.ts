import { isStorable } from "../platform/json.ts";
import { MAX_EMAIL_LENGTH } from "../wire/limits.ts";
import { EMAIL_PATTERN, USERNAME_PATTERN } from "../wire/patterns.ts";
import { isBroadcast } from "../wire/markdown/extract.ts";
import { limitMarks } from "../wire/marks.ts";
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
  /** Null if the provider sent a claim of groups that is not understood, or left it out as too long. */
  groups: string[] | null;
  /** The provider's id of its session, with which it ends ours. */
  sid: string | null;
  /** When the sign-in there was, in seconds since 1970; null if the provider does not say. */
  authTime: number | null;
  /** Whether the sign-in there included a second factor (RFC 8176). */
  hasSecondFactor: boolean;
};

type Raw = { readonly [name: string]: unknown };

/** What the user info may say about a person; what describes the sign-in is in the ID token alone. */
const PROFILE_CLAIMS = ["email", "email_verified", "name", "preferred_username", "picture"];
const MAX_TEXT_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_048;
/** OpenID Connect Core, 2. Session ids and ids of tokens are as long as administrators need. */
const MAX_ID_LENGTH = 255;

/**
 * Reads the claims of a checked ID token, and of the user info beside it. A claim that is not understood
 * is left out.
 * @throws Error if the subject cannot identify a person
 */
export function readClaims(provider: ProviderRow, token: Raw, info: Raw = {}): Claims {
  const subject = readId(token.sub);
  if (subject === null) throw new Error("Its sub is not 1 to 255 storable characters");
  const claims: Raw = { ...pickProfile(provider, info, token), ...token };
  const email = readEmail(claims.email);
  const methods = Array.isArray(token.amr) ? token.amr : [];
  return {
    issuer: String(token.iss),
    subject,
    email,
    isEmailVerified: email !== null && isVerified(provider, claims.email_verified),
    name: readText(claims.name),
    username: readText(claims.preferred_username),
    picture: readAddress(claims.picture),
    groups: readGroups(provider, claims),
    sid: readId(token.sid),
    authTime: Number.isFinite(token.auth_time) ? (token.auth_time as number) : null,
    hasSecondFactor: provider.countsAsSecondFactor || methods.includes("mfa"),
  };
}

/** An id of a person, session or token at a provider; null for anything else. */
export function readId(value: unknown): string | null {
  const isId =
    typeof value === "string" &&
    value.length <= MAX_ID_LENGTH &&
    /[^\s\p{C}]/u.test(value) &&
    isStorable(value);
  return isId ? value : null;
}

function pickProfile({ groupsClaim }: ProviderRow, info: Raw, token: Raw): Raw {
  const names = [
    ...PROFILE_CLAIMS,
    "_claim_names",
    ...(groupsClaim === null ? [] : [groupsClaim, groupsClaim.split(".")[0] ?? ""]),
  ];
  const picked = Object.fromEntries(
    names.filter((name) => Object.hasOwn(info, name)).map((name) => [name, info[name]]),
  );
  // Whether an address is verified is said of that address alone.
  if (token.email !== undefined && token.email !== info.email) delete picked.email_verified;
  return picked;
}

/** Groups are a list of names, one name, or an object whose keys are the names. */
function readGroups({ groupsClaim }: ProviderRow, claims: Raw): string[] | null {
  if (groupsClaim === null) return [];
  const value = findClaim(claims, groupsClaim);
  if (value === undefined || value === null) return isOverage(claims, groupsClaim) ? null : [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value : null;
  return typeof value === "object" ? Object.keys(value) : null;
}

/** A claim by its name, or by its path where the name has dots and is no claim. */
function findClaim(claims: Raw, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  if (!name.includes(".")) return undefined;
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Raw)[part];
  }
  return value;
}

/** Whether groups were too many for the token (OpenID Connect Core, 5.6.2; Microsoft's `hasgroups`). */
function isOverage(claims: Raw, name: string): boolean {
  const names = claims._claim_names;
  const isElsewhere = typeof names === "object" && names !== null && Object.hasOwn(names, name);
  return isElsewhere || (claims.hasgroups !== undefined && claims.hasgroups !== false);
}

function readText(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "" || !isStorable(value)) return null;
  return value.slice(0, MAX_TEXT_LENGTH);
}

function readEmail(value: unknown): string | null {
  const email = readText(value)?.trim().toLowerCase() ?? "";
  const isAddress =
    email.length <= MAX_EMAIL_LENGTH &&
    new RegExp(EMAIL_PATTERN).test(email) &&
    !/[\p{Cc}\p{Cf}]/u.test(email);
  return isAddress ? email : null;
}

function readAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_URL_LENGTH || !isStorable(value)) return null;
  return /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? value : null;
}

/** If a provider says that an address is not verified, it is not, whatever the administrator trusts. */
function isVerified({ trustsEmail }: ProviderRow, claim: unknown): boolean {
  if (claim === undefined || claim === null) return trustsEmail;
  return claim === true || claim === "true";
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
  return limitMarks(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, MAX_USERNAME)
    .replace(/^[._-]+|[._-]+$/g, "");
}
