import { inArray } from "drizzle-orm";
import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf } from "../config.ts";
import type { Query } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { rooms } from "../database/schema.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import { findInvite, listInvites } from "../invites/read-invites.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Invite, SentInvite } from "../wire/admin.ts";
import { EMAIL_PATTERN, INVITE_DAYS, MAX_PAGE } from "../wire/limits.ts";
import { type Call, type Command, firstWord, type Result, table } from "./command.ts";
import { readKeyOf } from "./secrets.ts";

/** Invites as an administrator does; the mail goes out from a running service. */
const create: Command = {
  name: "invite",
  usage: "<email> [--room <name>]...",
  summary: "send a signup link, or print it where no mail goes out",
  words: 1,
  options: { room: { type: "string", multiple: true } },
  help: [["--room <name>", "a room to be in from the start; may be given again"]],
  async run(call) {
    const email = firstWord(call);
    if (!new RegExp(EMAIL_PATTERN).test(email)) {
      throw new Refusal("validation", `${email} is no email address.`);
    }
    const names = [call.options.room ?? []].flat().map(String);
    return withDatabase(call.config, async ({ db }) => {
      const room_ids = await findRooms(db, names);
      return sentResult(
        await db.transaction((tx) =>
          createInvite(tx, depsOf(call), COMMAND_LINE, { email, room_ids }),
        ),
      );
    });
  },
};

const list: Command = {
  name: "invite list",
  usage: "",
  summary: "list all invites, the latest first",
  words: 0,
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const found = await listAll(db);
      const lines = found.map((one) => [
        one.email,
        one.status,
        `by ${one.invited_by?.username ?? "the command line"}`,
        one.status === "pending" ? `until ${one.expires_at}` : "",
      ]);
      return { json: found, text: found.length === 0 ? "Nobody was invited yet." : table(lines) };
    }),
};

const resend: Command = {
  name: "invite resend",
  usage: "<email>",
  summary: "send an invite again with a new link; the link before stops working",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const id = await findInvite(db, firstWord(call));
      return sentResult(
        await db.transaction((tx) => resendInvite(tx, depsOf(call), COMMAND_LINE, id)),
      );
    }),
};

const revoke: Command = {
  name: "invite revoke",
  usage: "<email>",
  summary: "revoke an invite; its link stops working",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const email = firstWord(call).trim().toLowerCase();
      const id = await findInvite(db, email);
      await db.transaction((tx) => revokeInvite(tx, COMMAND_LINE, id));
      return { json: { id, email }, text: `Revoked the invite for ${email}.` };
    }),
};

export const inviteCommands: Command[] = [create, list, resend, revoke];

function depsOf({ config }: Call): InviteDeps {
  return { readKey: readKeyOf(config), baseUrl: baseUrlOf(config) };
}

function sentResult(sent: SentInvite): Result {
  const text = sent.link
    ? `No mail goes out. Hand this link on (${INVITE_DAYS} days, one use):\n${sent.link}`
    : `The invite for ${sent.email} is on its way.`;
  return { json: sent, text };
}

async function listAll(tx: Query): Promise<Invite[]> {
  const found: Invite[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await listInvites(tx, { limit: MAX_PAGE, cursor });
    found.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

async function findRooms(tx: Query, given: string[]): Promise<string[]> {
  const names = given.map((name) => name.replace(/^#/, "").toLowerCase());
  if (names.length === 0) return [];
  const found = await tx
    .select({ id: rooms.id, name: rooms.name })
    .from(rooms)
    .where(inArray(rooms.name, names));
  const missing = names.find((name) => !found.some((room) => room.name === name));
  if (missing) throw new Refusal("room_not_found", `There is no room #${missing}.`);
  return found.map(({ id }) => id);
}
