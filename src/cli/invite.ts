import { inArray } from "drizzle-orm";
import { invite } from "../admin/invites.ts";
import { COMMAND_LINE } from "../audit/audit.ts";
import { baseUrlOf } from "../config.ts";
import type { Query } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { EMAIL_PATTERN } from "../wire/limits.ts";
import { type Command, firstWord } from "./command.ts";
import { readKeyOf } from "./secrets.ts";

/** Invites as an administrator does; the mail goes out from a running service. */
export const inviteCommand: Command = {
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
    const deps = { readKey: readKeyOf(call.config), baseUrl: baseUrlOf(call.config) };
    return withDatabase(call.config, async ({ db }) => {
      const room_ids = await findRooms(db, names);
      const sent = await invite(db, deps, COMMAND_LINE, { email, room_ids });
      const text = sent.link
        ? `No mail goes out. Hand this link on (7 days, one use):\n${sent.link}`
        : `The invite for ${sent.email} is on its way.`;
      return { json: sent, text };
    });
  },
};

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
