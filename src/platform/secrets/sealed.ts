import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { SecretKeys } from "./secrets.ts";

/**
 * Encryption of secrets at rest: AES-256-GCM with the secret key (NIST SP 800-38D). A sealed value
 * consists of a version byte, four bytes that identify the key, a nonce of 12 bytes, the ciphertext,
 * and a tag of 16 bytes.
 */
const VERSION = 1;
const NONCE_AT = 5;
const TEXT_AT = 17;
const TAG_BYTES = 16;

/** A sealed value cannot be decrypted: it was encrypted with another key, or modified. */
export class UnsealError extends Error {
  override readonly name = "UnsealError";
}

/** Identifies the encryption key with four bytes that do not reveal it. */
function keyId(key: Buffer): Buffer {
  return createHash("sha256").update("snug key id").update(key).digest().subarray(0, 4);
}

/**
 * Encrypts a value with the current key.
 * @param purpose the kind of secret, which prevents one kind from being substituted for another
 */
export function sealValue([key]: SecretKeys, purpose: string, text: string): Buffer {
  const nonce = randomBytes(12);
  const head = Buffer.concat([Buffer.from([VERSION]), keyId(key), nonce]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([head, ciphertext, cipher.getAuthTag()]);
}

/** Whether one of the keys has encrypted the value with these first five bytes. */
export function isSealedWith(keys: readonly Buffer[], head: Buffer): boolean {
  return keys.some((key) => keyId(key).equals(head.subarray(1, NONCE_AT)));
}

/**
 * Decrypts a value with whichever key encrypted it.
 * @throws UnsealError with a sentence for the operator
 */
export function unsealValue(keys: SecretKeys, purpose: string, ciphertext: Buffer): string {
  if (ciphertext.length < TEXT_AT + TAG_BYTES || ciphertext[0] !== VERSION) {
    throw new UnsealError(`The stored ${purpose} is not a sealed value.`);
  }
  const head = ciphertext.subarray(0, TEXT_AT);
  const key = keys.find((candidate) => keyId(candidate).equals(head.subarray(1, NONCE_AT)));
  if (!key) {
    throw new UnsealError(`The ${purpose} was sealed with another SECRET_KEY.`);
  }
  const cipher = createDecipheriv("aes-256-gcm", key, head.subarray(NONCE_AT), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
  cipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
  try {
    const text = cipher.update(ciphertext.subarray(TEXT_AT, -TAG_BYTES));
    return Buffer.concat([text, cipher.final()]).toString("utf8");
  } catch {
    throw new UnsealError(`The ${purpose} was changed since it was sealed.`);
  }
}
