import { deleteWebhook, listWebhooks } from "../admin/webhooks.ts";
import { COMMAND_LINE, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import type { RoomRow } from "../rooms/access.ts";
import { lockRoom, setArchived, setDefaultRoom } from "../rooms/change.ts";
import { deleteLockedRoom } from "../rooms/delete.ts";
import { forceTransfer } from "../rooms/ownership.ts";
import { listAllRooms, requireAdminRoom } from "../rooms/read.ts";
import { requireUser } from "../users/users.ts";
import {
  type Call,
  type Command,
  formatCount,
  inDatabase,
  inTransaction,
  listResult,
  readAllPages,
} from "./command.ts";

function archiveCommand(verb: string, summary: string, isArchived: boolean): Command {
  return {
    name: `room ${verb}`,
    args: ["<name>"],
    summary,
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const room = await lockNamed(tx, call);
      const { id, name } = await setArchived(tx, COMMAND_LINE, room, isArchived);
      const text = `#${name} is ${isArchived ? "archived" : "no longer archived"}.`;
      return { json: { id, name, is_archived: isArchived }, text };
    }),
  };
}

/** Locks the room that the first argument names, with or without the leading `#`. */
function lockNamed(tx: Transaction, call: Call): Promise<RoomRow> {
  return lockRoom(tx, { name: call.arg.replace(/^#/, "").toLowerCase() });
}

export const roomCommands: Command[] = [
  {
    name: "room list",
    summary: "list all rooms, including private ones",
    effect: "read",
    run: inDatabase(async ({ db }) =>
      listResult(await listAllRooms(db), "No rooms yet.", (room) => [
        `#${room.name}`,
        [
          room.privacy,
          ...(room.is_archived ? ["archived"] : []),
          ...(room.is_default ? ["default"] : []),
        ].join(", "),
        formatCount(room.member_count, "member"),
        `owned by ${room.owner.username}`,
      ]),
    ),
  },
  archiveCommand("archive", "make a room read-only and hide it from the room directory", true),
  archiveCommand("unarchive", "unarchive a room", false),
  {
    name: "room default",
    args: ["<name>", "<on|off>"],
    summary: "choose whether new accounts join a room",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const isDefault = call.args[1] === "on";
      const room = await lockNamed(tx, call);
      await setDefaultRoom(tx, COMMAND_LINE, room, isDefault);
      const { id, name } = room;
      const text = isDefault ? `New accounts join #${name}.` : `New accounts do not join #${name}.`;
      return { json: { id, name, is_default: isDefault }, text };
    }),
  },
  {
    name: "room transfer",
    args: ["<name>", "<username>"],
    summary: "make someone the owner of a room, who is added to it if necessary",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const [, username = ""] = call.args;
      const row = await lockNamed(tx, call);
      const user = await requireUser(tx, { username });
      await forceTransfer(tx, COMMAND_LINE, row, user.id);
      const room = await requireAdminRoom(tx, row.id);
      return { json: room, text: `${username} owns #${room.name}.` };
    }),
  },
  {
    name: "room delete",
    args: ["<name>"],
    summary: "delete a room with everything in it, which cannot be undone",
    effect: "audited",
    options: { yes: { required: true, help: "confirms it" } },
    run: inTransaction(async (tx, call) => {
      const room = await lockNamed(tx, call);
      await deleteLockedRoom(tx, room);
      await writeAudit(tx, COMMAND_LINE, "room.delete", room);
      const { id, name } = room;
      return { json: { id, name }, text: `Deleted #${name}.` };
    }),
  },
  {
    name: "webhook list",
    summary: "list incoming and outgoing webhooks of all rooms, the latest first",
    effect: "read",
    run: inDatabase(async ({ sql }) => {
      const webhooks = await readAllPages((page) => listWebhooks(sql, page));
      return listResult(webhooks, "No webhooks.", (item) => [
        item.id,
        item.direction,
        `#${item.room.name}`,
        item.name,
        item.is_active ? "active" : "paused",
        item.url ?? "",
      ]);
    }),
  },
  {
    name: "webhook delete",
    args: ["<webhook id>"],
    summary: "delete a webhook: its address no longer works, or nothing is sent to it",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const id = call.arg;
      const { name } = await deleteWebhook(tx, COMMAND_LINE, id);
      return { json: { id, name }, text: `Deleted the webhook ${name}.` };
    }),
  },
];
