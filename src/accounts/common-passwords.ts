import { MIN_PASSWORD_LENGTH } from "../wire/limits.ts";

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
 * True for passwords that are guessed first (NIST SP 800-63B-4, 3.1.1.2): the most used ones, the
 * account's and the service's names, and short repeated patterns.
 * @param names the account's username and email
 */
export async function isCommonPassword(password: string, names: string[]): Promise<boolean> {
  const folded = password.toLowerCase();
  if (/^(.{1,4})\1+.{0,3}$/su.test(folded)) return true;
  // Without the usual suffixes: password2026!, ada.lovelace1
  const bare = folded.replace(/[^\p{L}]+$/u, "");
  const own = [...names, ...names.map((name) => name.split("@")[0] ?? ""), "snug"].filter(
    (name) => name.length > 0,
  );
  if (own.some((name) => folded === name.toLowerCase() || bare === name.toLowerCase())) return true;
  const common = await loadCommonPasswords();
  return common.has(folded) || common.has(bare);
}
