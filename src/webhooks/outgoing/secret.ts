import { randomBytes } from "node:crypto";

/** The purpose, for `sealValue` and for the command that rotates the secret key. */
export const WEBHOOK_SECRET = "webhook secret";
const PREFIX = "whsec_";

/** Creates a secret (Standard Webhooks 1.0): a prefix, and 32 random bytes in standard base64. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** What is signed. `timestamp` is in seconds since 1970. */
type SignedContent = { id: string; timestamp: number; body: string };

/** `webhook-signature` (Standard Webhooks 1.0): a signature by each secret, separated by spaces. */
export function signDelivery(secrets: string[], { id, timestamp, body }: SignedContent): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      const mac = new Bun.CryptoHasher("sha256", key).update(`${id}.${timestamp}.${body}`);
      return `v1,${mac.digest("base64")}`;
    })
    .join(" ");
}
