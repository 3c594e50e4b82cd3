import { makeInvalid } from "../platform/refusal.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../wire/limits.ts";

/** OWASP's second recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of an unknown password with the same parameters, so that verifying takes as long. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$j3C8h/5K54vtdVy2H7/2MkylFWISGsSMq1MqczU8A8c$ag08U0qQ8xZN6yW/zHZL7dUn/ATKrVDiiAKemlgSOCs";

/**
 * Hashes with argon2id.
 * @param names the account's username and email, which are refused as passwords
 * @param path the field that a refusal names
 * @throws Refusal `validation` for a password that is too short, too long or too common
 */
export async function hashPassword(
  password: string,
  names: string[],
  path = "/password",
): Promise<string> {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw makeInvalid(
      path,
      `A password is ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  }
  if (await isCommonPassword(password, names)) {
    throw makeInvalid(
      path,
      "This password is among the first that anyone would guess. Choose another.",
    );
  }
  return Bun.password.hash(password, ARGON2);
}

/** @param hash null if there is no account: the result is false, after the same work */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  if (hash !== null) return Bun.password.verify(password, hash);
  await Bun.password.verify(password, DECOY);
  return false;
}

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password that is easy to read out: 20 letters and digits in groups of five, 99 bits. */
export function generatePassword(): string {
  const random = crypto.getRandomValues(new Uint32Array(20));
  // 2^32 is so much larger than 31 that the bias of the remainder does not matter.
  const letters = Array.from(random, (n) => LETTERS[n % LETTERS.length]).join("");
  return letters.match(/.{5}/g)?.join("-") ?? letters;
}
