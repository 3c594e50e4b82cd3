import { deriveToken, hashToken, type SecretKeys } from "../platform/secrets.ts";

/** The token of an invite's link. It is made again when the mail is, and stored as a hash alone. */
export function signupToken(keys: SecretKeys, tokenId: string): { token: string; hash: Buffer } {
  const token = deriveToken(keys, "signup", tokenId);
  return { token, hash: hashToken(token) };
}

/** The address of a signup link: a fragment reaches no log and no `Referer`. */
export function signupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/signup#token=${token}`;
}
