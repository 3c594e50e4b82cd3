import { MIN_PASSWORD_LENGTH } from "../wire/limits.ts";

let list: Promise<ReadonlySet<string>> | undefined;

/** The most used passwords that are long enough to be taken, read when the first is chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) =>
      new Set(dictionary["passwords-common"].filter((word) => word.length >= MIN_PASSWORD_LENGTH)),
  );
  return list;
}

/**
 * True for what is guessed first (NIST SP 800-63B-4, 3.1.1.2): one of the most used passwords,
 * the account's own names, the service's, and one short thing over and over.
 * @param names of the account: username, email
 */
export async function isCommonPassword(password: string, names: string[]): Promise<boolean> {
  const folded = password.toLowerCase();
  if (/^(.{1,4})\1+.{0,3}$/su.test(folded)) return true;
  // What is put behind a word to make it pass: password2026!, ada.lovelace1
  const bare = folded.replace(/[^\p{L}]+$/u, "");
  const own = [...names, ...names.map((name) => name.split("@")[0] ?? ""), "snug"].filter(
    (name) => name.length > 0,
  );
  if (own.some((name) => folded === name.toLowerCase() || bare === name.toLowerCase())) return true;
  const common = await commonPasswords();
  return common.has(folded) || common.has(bare);
}
