import { INVITE_DAYS, RESET_MINUTES } from "../wire/limits.ts";
import type { Address } from "./address.ts";
import { compose, type Mail } from "./mail.ts";

/** The words of the mails that Snug sends. `site` is the host that people know it by. */

/** @param inviter null where the command line invited */
export function inviteLetter(given: {
  to: string;
  site: string;
  inviter: string | null;
  link: string;
}): Mail {
  const { to, site, inviter, link } = given;
  const who = inviter === null ? "You are invited" : `${inviter} invites you`;
  return compose({
    to: { name: "", address: to },
    subject: `${who} to Snug at ${site}`,
    title: `${who} to join the chat at ${site}`,
    paragraphs: [
      "Snug is where this team talks. Choose a username and a password, and you are in.",
    ],
    button: { label: "Make your account", url: link },
    notes: [
      `The link is for ${to} alone, works once, and ends in ${INVITE_DAYS} days.`,
      "If you do not know what this is about, do nothing: no account is made.",
    ],
  });
}

export function resetLetter(given: {
  to: Address;
  site: string;
  username: string;
  link: string;
}): Mail {
  const { to, site, username, link } = given;
  return compose({
    to,
    subject: `Choose a new password for Snug at ${site}`,
    title: "Choose a new password",
    paragraphs: [`Someone, hopefully you, asked for a new password for ${username} at ${site}.`],
    button: { label: "Choose a new password", url: link },
    notes: [
      `The link works once and ends in ${RESET_MINUTES} minutes. When you use it, you are signed out everywhere.`,
      "If it was not you, do nothing: your password stays as it is.",
    ],
  });
}

/** @param unsubscribe where one can say that one wants no more of these */
export function addedLetter(given: {
  to: Address;
  site: string;
  room: string;
  description: string | null;
  adder: string;
  link: string;
  unsubscribe: string;
}): Mail {
  const { to, site, room, description, adder, link, unsubscribe } = given;
  return compose({
    to,
    subject: `${adder} added you to #${room} at ${site}`,
    title: `You are in #${room} now`,
    paragraphs: [
      `${adder} added you to the room #${room} at ${site}.`,
      ...(description ? [`It is about: ${description}`] : []),
    ],
    button: { label: `Open #${room}`, url: link },
    notes: [`You can switch these mails off in your profile: ${unsubscribe}`],
    unsubscribe,
  });
}
