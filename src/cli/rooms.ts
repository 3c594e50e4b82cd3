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
  firstArg,
  formatCount,
  inDatabase,
  inTransaction,
  listResult,
} from "./command.ts";

const list: Command = {
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
};

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

const setDefault: Command = {
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
};

const transfer: Command = {
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
};

const remove: Command = {
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
};

export const roomCommands: Command[] = [
  list,
  archiveCommand("archive", "make a room read-only and hide it from the room directory", true),
  archiveCommand("unarchive", "unarchive a room", false),
  setDefault,
  transfer,
  remove,
];

/** Locks the room that the first argument names, with or without the leading `#`. */
function lockNamed(tx: Transaction, call: Call): Promise<RoomRow> {
  return lockRoom(tx, { name: firstArg(call).replace(/^#/, "").toLowerCase() });
}
