import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { lockRoom, setArchived } from "../rooms/change.ts";
import { listAllRooms } from "../rooms/read.ts";
import { type Command, firstArg, formatTable } from "./command.ts";

const list: Command = {
  name: "room list",
  summary: "list all rooms, including private ones",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const rooms = await listAllRooms(db);
      const lines = rooms.map((room) => [
        `#${room.name}`,
        room.is_archived ? `${room.privacy}, archived` : room.privacy,
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
          const found = await lockRoom(tx, { name: firstArg(call) });
          return setArchived(tx, COMMAND_LINE, found, isArchived);
        });
        const text = `#${room.name} is ${isArchived ? "archived" : "no longer archived"}.`;
        return { json: { id: room.id, name: room.name, is_archived: isArchived }, text };
      }),
  };
}

export const roomCommands: Command[] = [
  list,
  archiveCommand("archive", "make a room read-only and hide it from the room directory", true),
  archiveCommand("unarchive", "unarchive a room", false),
];
