import { makeFieldRefusal } from "../platform/refusal.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../wire/limits.ts";

/** OWASP Password Storage Cheat Sheet, the second option for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** A hash with the same parameters, so that verification takes as long if there is no account. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$j3C8h/5K54vtdVy2H7/2MkylFWISGsSMq1MqczU8A8c$ag08U0qQ8xZN6yW/zHZL7dUn/ATKrVDiiAKemlgSOCs";

/**
 * Hashes with argon2id.
 * @param names the account's username and email, which may not be the password
 * @param path the JSON pointer of the field, for the refusal
 * @throws Refusal `validation` for a password that is too short, too long or too common
 */
export async function hashPassword(
  password: string,
  names: string[],
  path = "/password",
): Promise<string> {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw makeFieldRefusal(
      path,
      `A password is ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  }
  if (await isCommonPassword(password, names)) {
    throw makeFieldRefusal(path, "This password is too easy to guess. Choose another.");
  }
  return Bun.password.hash(password, ARGON2);
}

/** @param hash null if there is no account: the result is false after the same time */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  if (hash !== null) return Bun.password.verify(password, hash);
  await Bun.password.verify(password, DECOY);
  return false;
}

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** 20 letters and digits in groups of five, which are easy to read aloud: 99 bits. */
export function generatePassword(): string {
  const random = crypto.getRandomValues(new Uint32Array(20));
  // 2^32 is so much larger than 31 that the modulo bias does not matter.
  const letters = Array.from(random, (n) => LETTERS[n % LETTERS.length]).join("");
  return letters.match(/.{5}/g)?.join("-") ?? letters;
}

let list: Promise<ReadonlySet<string>> | undefined;

/** The most used passwords that are long enough to be accepted, loaded on first use. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) =>
      new Set(dictionary["passwords-common"].filter((word) => word.length >= MIN_PASSWORD_LENGTH)),
  );
  return list;
}

/**
 * True for passwords that attackers guess first (NIST SP 800-63B-4, 3.1.1.2): the most used ones, names of
 * the account and the service, and short repeated patterns.
 * @param names the account's username and email
 */
async function isCommonPassword(password: string, names: string[]): Promise<boolean> {
  const lowerCasePassword = password.toLowerCase();
  if (/^(.{1,4})\1+.{0,3}$/su.test(lowerCasePassword)) return true;
  // Drops the usual suffixes: password2026!, ada.lovelace1
  const bare = lowerCasePassword.replace(/[^\p{L}]+$/u, "");
  const ownWords = [...names, ...names.map((name) => name.split("@")[0] ?? ""), "snug"].filter(
    (name) => name.length > 0,
  );
  if (
    ownWords.some((name) => lowerCasePassword === name.toLowerCase() || bare === name.toLowerCase())
  )
    return true;
  const common = await loadCommonPasswords();
  return common.has(lowerCasePassword) || common.has(bare);
}
