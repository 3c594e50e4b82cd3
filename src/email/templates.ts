import type { SecurityChange } from "../jobs-queue/kinds.ts";
import { INVITE_DAYS, RESET_MINUTES } from "../wire/limits.ts";
import { type Address, type Mail, renderMail } from "./mail.ts";

/** `site` is the team's name, or Snug with the host of its address. */
type Common = { to: Address; site: string; link: string };
/** `unsubscribe` is the page where the recipient can turn these mails off. */
type Optional = Common & { unsubscribe: string };

/** `inviter` is null if the command line sent the invite. */
type InviteMail = Omit<Common, "to"> & { to: string; inviter: string | null };

export function renderInviteMail({ to, site, inviter, link }: InviteMail): Mail {
  const subject = inviter === null ? "You are invited" : `${inviter} invites you`;
  return renderMail({
    to: { name: "", address: to },
    subject: `${subject} to ${site}`,
    title: `${subject} to join ${site}`,
    paragraphs: [
      "This is your team's chat. Choose a username and a password to create your account.",
    ],
    button: { label: "Create your account", url: link },
    notes: [
      `This link is for ${to} only, works once, and expires in ${INVITE_DAYS} days.`,
      "If you don't know what this is about, you can ignore this mail. No account is created.",
    ],
  });
}

type ResetMail = Common & { username: string };

export function renderResetMail({ to, site, username, link }: ResetMail): Mail {
  return renderMail({
    to,
    subject: `Choose a new password for ${site}`,
    title: "Choose a new password",
    paragraphs: [`Someone, hopefully you, asked for a new password for ${username} at ${site}.`],
    button: { label: "Choose a new password", url: link },
    notes: [
      `The link works once and expires in ${RESET_MINUTES} minutes. Using it signs you out on all devices.`,
      "If it wasn't you, you can ignore this mail. Your password stays the same.",
    ],
  });
}

type AddedMail = Optional & { room: string; description: string | null; adder: string };

export function renderAddedMail(mail: AddedMail): Mail {
  const { to, site, room, description, adder, link, unsubscribe } = mail;
  return renderMail({
    to,
    subject: `${adder} added you to #${room} at ${site}`,
    title: `You are now in #${room}`,
    paragraphs: [
      `${adder} added you to the room #${room} at ${site}.`,
      ...(description ? [`It is about: ${description}`] : []),
    ],
    button: { label: `Open #${room}`, url: link },
    notes: [`You can turn these mails off in your profile: ${unsubscribe}`],
    unsubscribe,
  });
}

type MissedMail = Optional & {
  /** The first mentions, quoted. */
  mentions: { sender: string; room: string; text: string }[];
  total: number;
};

export function renderMissedMail(mail: MissedMail): Mail {
  const { to, site, mentions, total, link, unsubscribe } = mail;
  const [first] = mentions;
  const title =
    total === 1 && first
      ? `${first.sender} mentioned you in #${first.room}`
      : `${total} mentions while you were away`;
  const omittedCount = total - mentions.length;
  return renderMail({
    to,
    subject: `${title} at ${site}`,
    title,
    paragraphs: [
      ...mentions.map(({ sender, room, text }) => `${sender} in #${room}: ${text}`),
      ...(omittedCount > 0 ? [`And ${omittedCount} more.`] : []),
    ],
    button: { label: total === 1 ? "Open the message" : "Open your activity", url: link },
    notes: [`You can turn these mails off in your profile: ${unsubscribe}`],
    unsubscribe,
  });
}

export function renderTestMail(to: string, site: string): Mail {
  return renderMail({
    to: { name: "", address: to },
    subject: `Test mail from ${site}`,
    title: "Mail works",
    paragraphs: [`${site} sent this test with its mail settings. Invites will arrive too.`],
    notes: [],
  });
}

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
  recovery_code_used: (count) => [
    "A recovery code was used",
    `A recovery code was used to confirm that it is you. Codes left: ${count}.`,
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

type SecurityMail = Common & {
  username: string;
  change: SecurityChange;
  /** A name or a number; null if the change has none. */
  detail: string | null;
};

export function renderSecurityMail(mail: SecurityMail): Mail {
  const { to, site, username, change, detail, link } = mail;
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
