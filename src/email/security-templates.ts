import type { SecurityChange } from "../jobs-queue/kinds.ts";
import type { Address } from "./address.ts";
import { type Mail, renderMail } from "./mail.ts";

/** What each mail says: its subject, and a sentence that describes the change. */
const TEXTS: Record<SecurityChange, (detail: string) => [subject: string, sentence: string]> = {
  password_changed: () => ["Your password was changed", "Your password was changed."],
  second_factor_on: () => [
    "Your second factor is on",
    "From now on, signing in takes your second factor as well. Your other devices were signed out.",
  ],
  second_factor_off: () => [
    "Your second factor is off",
    "Signing in takes your password alone again. Your other devices were signed out.",
  ],
  second_factor_reset: () => [
    "Your second factor was reset",
    "An administrator removed your authenticator app, passkeys and recovery codes, and signed you out everywhere.",
  ],
  totp_added: () => ["An authenticator app was added", "An authenticator app was set up."],
  totp_removed: () => ["Your authenticator app was removed", "Your authenticator app was removed."],
  passkey_added: (name) => ["A passkey was added", `The passkey “${name}” was added.`],
  passkey_removed: (name) => ["A passkey was removed", `The passkey “${name}” was removed.`],
  passkey_went_back: (name) => [
    "A passkey may have been copied",
    `The passkey “${name}” counted backwards when it was used, as a copy of it would. If you have not restored a device, remove it.`,
  ],
  recovery_codes_made: () => [
    "You have new recovery codes",
    "New recovery codes were made. The old ones no longer work.",
  ],
  recovery_code_used: (left) => [
    "A recovery code was used",
    `A recovery code was used to confirm that it is you. Codes that are left: ${left}.`,
  ],
  provider_connected: (name) => [
    `Your account is connected with ${name}`,
    `You can now sign in with ${name}.`,
  ],
  account_claimed: (name) => [
    `Your account is connected with ${name}`,
    `You signed in with ${name}, which verified this address. Nobody had done so before, so the account's password, second factor and other connections were removed, and everyone else was signed out. Sign in with ${name} from now on.`,
  ],
  provider_disconnected: (name) => [
    `Your account is no longer connected with ${name}`,
    `Signing in with ${name} no longer opens this account.`,
  ],
};

/** @param detail a name or a number; null where the change needs none */
export function renderSecurityMail(params: {
  to: Address;
  site: string;
  username: string;
  change: SecurityChange;
  detail: string | null;
  link: string;
}): Mail {
  const { to, site, username, change, detail, link } = params;
  const [subject, sentence] = TEXTS[change](detail ?? "");
  return renderMail({
    to,
    subject: `${subject} at ${site}`,
    title: subject,
    paragraphs: [`This is about the account ${username} at ${site}. ${sentence}`],
    button: { label: "Open your security settings", url: link },
    notes: ["If it wasn't you, change your password now, and tell an administrator."],
  });
}
