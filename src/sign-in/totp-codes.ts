import { Secret, TOTP } from "otpauth";

/** RFC 6238 as authenticator apps expect it. The module is loaded with the first use. */
const PARAMS = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** A new secret of 160 bits (RFC 4226, 4), in base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address of an account for an authenticator app's QR code. */
export function totpUri(secret: string, site: string, username: string): string {
  return new TOTP({ ...PARAMS, secret, issuer: site, label: username }).toString();
}

/**
 * The time step that a code is of: now, or the one before or after, for clocks that differ.
 * @returns null for a wrong code
 */
export function findTotpStep(secret: string, code: string, timeMs = Date.now()): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = new TOTP({ ...PARAMS, secret }).validate({ token, timestamp: timeMs, window: 1 });
  return delta === null ? null : Math.floor(timeMs / 1_000 / PARAMS.period) + delta;
}
