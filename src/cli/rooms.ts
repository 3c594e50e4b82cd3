import { requireUser } from "../users/users.ts";
import { COMMAND_LINE, writeAudit } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { lockRoom, setArchived, setDefaultRoom } from "../rooms/change.ts";
import { deleteLockedRoom } from "../rooms/delete.ts";
import { forceTransfer } from "../rooms/ownership.ts";
import { listAllRooms, requireAdminRoom } from "../rooms/read.ts";
import { type Command, firstArg, formatTable, parseSwitch } from "./command.ts";

const list: Command = {
  name: "room list",
  summary: "list all rooms, including private ones",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const rooms = await listAllRooms(db);
      const lines = rooms.map((room) => [
        `#${room.name}`,
        [
          room.privacy,
          ...(room.is_archived ? ["archived"] : []),
          ...(room.is_default ? ["default"] : []),
        ].join(", "),
        `${room.member_count} ${room.member_count === 1 ? "member" : "members"}`,
        `owned by ${room.owner.username}`,
      ]);
      return { json: rooms, text: rooms.length === 0 ? "No rooms yet." : formatTable(lines) };
    }),
};

function archiveCommand(verb: string, summary: string, isArchived: boolean): Command {
  return {
    name: `room ${verb}`,
    args: ["<name>"],
    summary,
    effect: "audited",
    run: (call) =>
      withDatabase(call.config, async ({ db }) => {
        const room = await db.transaction(async (tx) => {
          const room = await lockRoom(tx, { name: nameOf(firstArg(call)) });
          return setArchived(tx, COMMAND_LINE, room, isArchived);
        });
        const text = `#${room.name} is ${isArchived ? "archived" : "no longer archived"}.`;
        return { json: { id: room.id, name: room.name, is_archived: isArchived }, text };
      }),
  };
}

const setDefault: Command = {
  name: "room default",
  args: ["<name>", "<on|off>"],
  summary: "choose whether new accounts join a room",
  effect: "audited",
  async run(call) {
    const isDefault = parseSwitch(call.args[1]);
    return withDatabase(call.config, async ({ db }) => {
      const { id, name } = await db.transaction(async (tx) => {
        const room = await lockRoom(tx, { name: nameOf(firstArg(call)) });
        await setDefaultRoom(tx, COMMAND_LINE, room, isDefault);
        return room;
      });
      const text = isDefault ? `New accounts join #${name}.` : `New accounts do not join #${name}.`;
      return { json: { id, name, is_default: isDefault }, text };
    });
  },
};

const transfer: Command = {
  name: "room transfer",
  args: ["<name>", "<username>"],
  summary: "make someone the owner of a room, who is added to it if necessary",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const [name = "", username = ""] = call.args;
      const room = await db.transaction(async (tx) => {
        const row = await lockRoom(tx, { name: nameOf(name) });
        const user = await requireUser(tx, { username });
        await forceTransfer(tx, COMMAND_LINE, row, user.id);
        return requireAdminRoom(tx, row.id);
      });
      return { json: room, text: `${username} owns #${room.name}.` };
    }),
};

const remove: Command = {
  name: "room delete",
  args: ["<name>"],
  summary: "delete a room with everything in it, which cannot be undone",
  effect: "audited",
  options: { yes: { required: true, help: "confirms it" } },
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const { id, name } = await db.transaction(async (tx) => {
        const room = await lockRoom(tx, { name: nameOf(firstArg(call)) });
        await deleteLockedRoom(tx, room);
        await writeAudit(tx, COMMAND_LINE, "room.delete", room);
        return room;
      });
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

/** The room's name, with or without the leading `#`. */
function nameOf(text: string): string {
  return text.replace(/^#/, "").toLowerCase();
}
