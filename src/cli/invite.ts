import { sql } from "drizzle-orm";
import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf } from "../config.ts";
import type { Query } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { rooms } from "../database/schema.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import { requireInviteId, listInvites } from "../invites/read-invites.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Invite, SentInvite } from "../wire/admin.ts";
import { INVITE_DAYS, MAX_PAGE } from "../wire/limits.ts";
import { EMAIL_PATTERN } from "../wire/patterns.ts";
import {
  type Call,
  type Command,
  firstArg,
  formatTable,
  type Result,
  valuesOf,
} from "./command.ts";
import { readKeyOf } from "./secrets.ts";

/** The mail is sent by a running service. */
const create: Command = {
  name: "invite",
  args: ["<email>"],
  summary: "invite someone by email, or print the link if mail is not configured",
  effect: "audited",
  options: {
    room: { value: "<name>", multiple: true, help: "a room to join at signup; can be repeated" },
  },
  async run(call) {
    const email = firstArg(call);
    if (!new RegExp(EMAIL_PATTERN).test(email)) {
      throw new Refusal("validation", `${email} is not an email address.`);
    }
    const names = valuesOf(call, "room");
    return withDatabase(call.config, async ({ db }) => {
      const room_ids = await findRooms(db, names);
      return toResult(
        await db.transaction((tx) =>
          createInvite(tx, depsOf(call), COMMAND_LINE, { email, room_ids }),
        ),
      );
    });
  },
};

const list: Command = {
  name: "invite list",
  summary: "list all invites, the latest first",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const found = await listAllInvites(db);
      const lines = found.map((one) => [
        one.email,
        one.status,
        `by ${one.invited_by?.username ?? "the command line"}`,
        one.status === "pending" ? `until ${one.expires_at}` : "",
      ]);
      return { json: found, text: found.length === 0 ? "No invites yet." : formatTable(lines) };
    }),
};

const resend: Command = {
  name: "invite resend",
  args: ["<email>"],
  summary: "send an invite again with a new link; the previous link stops working",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const id = await requireInviteId(db, firstArg(call));
      return toResult(
        await db.transaction((tx) => resendInvite(tx, depsOf(call), COMMAND_LINE, id)),
      );
    }),
};

const revoke: Command = {
  name: "invite revoke",
  args: ["<email>"],
  summary: "revoke an invite; its link stops working",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const email = firstArg(call).trim().toLowerCase();
      const id = await requireInviteId(db, email);
      await db.transaction((tx) => revokeInvite(tx, COMMAND_LINE, id));
      return { json: { id, email }, text: `Revoked the invite for ${email}.` };
    }),
};

export const inviteCommands: Command[] = [create, list, resend, revoke];

function depsOf({ config }: Call): InviteDeps {
  return { readKey: readKeyOf(config), baseUrl: baseUrlOf(config) };
}

function toResult(sent: SentInvite): Result {
  const text = sent.link
    ? `Mail is not configured. Send them this link (works once, expires in ${INVITE_DAYS} days):\n${sent.link}`
    : `The invite for ${sent.email} will be mailed.`;
  return { json: sent, text };
}

async function listAllInvites(tx: Query): Promise<Invite[]> {
  const found: Invite[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await listInvites(tx, { limit: MAX_PAGE, cursor });
    found.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

async function findRooms(tx: Query, texts: string[]): Promise<string[]> {
  const names = texts.map((text) => text.replace(/^#/, "").toLowerCase());
  if (names.length === 0) return [];
  const found = await tx
    .select({ id: rooms.id, name: rooms.name })
    .from(rooms)
    .where(sql`${rooms.name} = any(${sql.param(names)}::text[])`);
  const missing = names.find((name) => !found.some((room) => room.name === name));
  if (missing) throw new Refusal("room_not_found", `There is no room #${missing}.`);
  return found.map(({ id }) => id);
}
