import { isStorable } from "../platform/input/json.ts";
import { isBroadcast, MAX_EMAIL_LENGTH } from "../wire/limits.ts";
import { EMAIL_PATTERN, USERNAME_PATTERN } from "../wire/patterns.ts";
import { limitMarks } from "../wire/unicode.ts";
import type { ProviderRow } from "./connection.ts";

export type Claims = {
  issuer: string;
  subject: string;
  /** In lower case; null if the provider has none. */
  email: string | null;
  /** Whether the provider has verified the address, and is trusted to. */
  isEmailVerified: boolean;
  name: string | null;
  username: string | null;
  picture: string | null;
  /** Null if the provider sent them in an unknown form, or omitted them because there are too many. */
  groups: string[] | null;
  /** The id of the session at the provider, which names the session in a back-channel logout. */
  sid: string | null;
  /** The time of the sign-in there, in seconds since 1970; null if the provider does not say. */
  authTime: number | null;
  /** Whether the sign-in there included a second factor (RFC 8176). */
  hasSecondFactor: boolean;
};

export type RawClaims = { readonly [name: string]: unknown };

const MAX_TEXT_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_048;
/** Maximum length of `sub` (OpenID Connect Core, 2), also applied to the ids of sessions and tokens. */
const MAX_ID_LENGTH = 255;

export const hasEmail = (token: RawClaims) => readEmail(token.email) !== null;

/** Whether an ID token has everything, so that user info is not needed. */
export function isComplete({ groupsClaim }: ProviderRow, token: RawClaims): boolean {
  const lacksGroups = groupsClaim !== null && findClaim(token, groupsClaim) === undefined;
  return hasEmail(token) && !lacksGroups;
}

/**
 * Reads the claims of a verified ID token and of the user info. A claim in an unknown form is ignored. Claims
 * about the sign-in are read from the ID token only.
 * @param info null if it could not be read
 * @throws Error if the subject cannot identify a person
 */
export function readClaims(
  provider: ProviderRow,
  token: RawClaims,
  info: RawClaims | null = {},
): Claims {
  const subject = readId(token.sub);
  if (subject === null) throw new Error("Its sub is not 1 to 255 storable characters");
  const sources = [token, info ?? {}];
  const email = firstOf(sources, (claims) => readEmail(claims.email));
  const methods = Array.isArray(token.amr) ? token.amr : [];
  return {
    issuer: String(token.iss),
    subject,
    email,
    isEmailVerified: email !== null && isVerified(provider, sources, email),
    name: firstOf(sources, ({ name }) => readText(name)),
    username: firstOf(sources, ({ preferred_username }) => readText(preferred_username)),
    picture: firstOf(sources, ({ picture }) => readAddress(picture)),
    groups: readGroups(provider, sources, info !== null),
    sid: readId(token.sid),
    authTime: readTime(token.auth_time),
    hasSecondFactor: provider.countsAsSecondFactor || methods.includes("mfa"),
  };
}

function firstOf<T>(sources: RawClaims[], read: (claims: RawClaims) => T | null): T | null {
  for (const claims of sources) {
    const value = read(claims);
    if (value !== null) return value;
  }
  return null;
}

/** @returns null for anything but a storable string of 1 to 255 characters */
export function readId(value: unknown): string | null {
  const isId =
    typeof value === "string" &&
    value.length <= MAX_ID_LENGTH &&
    /[^\s\p{C}]/u.test(value) &&
    isStorable(value);
  return isId ? value : null;
}

/**
 * Providers send groups as a list of names, one name, or an object whose keys are the names.
 * @param hasUserInfo false if user info was needed but could not be read
 */
function readGroups(
  { groupsClaim }: ProviderRow,
  sources: RawClaims[],
  hasUserInfo: boolean,
): string[] | null {
  if (groupsClaim === null) return [];
  const value = firstOf(sources, (claims) => findClaim(claims, groupsClaim) ?? null);
  if (value === null) {
    const isElsewhere = sources.some((claims) => isOverage(claims, groupsClaim));
    return isElsewhere || !hasUserInfo ? null : [];
  }
  // Amazon Cognito sends a list as one string.
  if (typeof value === "string") return /^\s*\[/.test(value) ? null : [value];
  if (Array.isArray(value)) return value.every((name) => typeof name === "string") ? value : null;
  return typeof value === "object" ? Object.keys(value) : null;
}

/** Finds a claim by its name or path. Names within the path may have dots, as client ids do. */
function findClaim(claims: unknown, name: string): unknown {
  if (typeof claims !== "object" || claims === null) return undefined;
  if (Object.hasOwn(claims, name)) return (claims as RawClaims)[name];
  const parts = name.split(".");
  for (let length = 1; length < parts.length; length += 1) {
    const key = parts.slice(0, length).join(".");
    if (!Object.hasOwn(claims, key)) continue;
    const value = findClaim((claims as RawClaims)[key], parts.slice(length).join("."));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether there were too many groups for the token (OpenID Connect Core, 5.6.2; Microsoft's `hasgroups`). */
function isOverage(claims: RawClaims, name: string): boolean {
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

/** Reads seconds since 1970, which some providers send as a string. */
function readTime(value: unknown): number | null {
  const time = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return Number.isFinite(time) ? (time as number) : null;
}

/**
 * An address that the provider calls unverified is unverified, even if the administrator trusts the provider.
 * Claims about other addresses are ignored.
 */
function isVerified({ trustsEmail }: ProviderRow, sources: RawClaims[], email: string): boolean {
  const claim = firstOf(sources, (claims) => {
    const isAboutEmail = (claims.email ?? null) === null || readEmail(claims.email) === email;
    return isAboutEmail ? (claims.email_verified ?? null) : null;
  });
  if (claim === null) return trustsEmail;
  return claim === true || (typeof claim === "string" && claim.toLowerCase() === "true");
}

const MAX_USERNAME = 32;
/** How many numbered variants of a taken username to try. */
const MAX_NUMBERED = 50;

/** Lists usernames for a new account, best first. */
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
