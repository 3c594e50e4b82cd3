import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { lockRoom, setArchived } from "../rooms/change.ts";
import { listAllRooms } from "../rooms/read.ts";
import { type Command, firstWord, table } from "./command.ts";

const list: Command = {
  name: "room list",
  usage: "",
  summary: "list all rooms, private ones included",
  words: 0,
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const rooms = await listAllRooms(db);
      const lines = rooms.map((room) => [
        `#${room.name}`,
        room.is_archived ? `${room.privacy}, archived` : room.privacy,
        `${room.member_count} ${room.member_count === 1 ? "member" : "members"}`,
        `owned by ${room.owner.username}`,
      ]);
      return { json: rooms, text: rooms.length === 0 ? "There is no room yet." : table(lines) };
    }),
};

function archiving(verb: string, summary: string, isArchived: boolean): Command {
  return {
    name: `room ${verb}`,
    usage: "<name>",
    summary,
    words: 1,
    run: (call) =>
      withDatabase(call.config, async ({ db }) => {
        const room = await db.transaction(async (tx) => {
          const found = await lockRoom(tx, { name: firstWord(call) });
          return setArchived(tx, COMMAND_LINE, found, isArchived);
        });
        const text = `#${room.name} is ${isArchived ? "archived: it can only be read" : "open again"}.`;
        return { json: { id: room.id, name: room.name, is_archived: isArchived }, text };
      }),
  };
}

export const roomCommands: Command[] = [
  list,
  archiving("archive", "make a room read-only and take it off the browse list", true),
  archiving("unarchive", "bring an archived room back", false),
];
