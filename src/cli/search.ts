import { readSearchStatus, requestReindex, type SearchStatus } from "../search/status.ts";
import { formatSize } from "../wire/files.ts";
import { type Command, formatTable, inDatabase, textOf } from "./command.ts";

const status: Command = {
  name: "search status",
  summary: "show the state of the search index",
  effect: "read",
  run: inDatabase(async ({ sql }) => {
    const status = await readSearchStatus(sql);
    return { json: status, text: formatTable(describe(status)) };
  }),
};

function describe(status: SearchStatus): string[][] {
  const { rooms, incomplete_rooms, lag, messages, is_estimate, size_bytes } = status;
  return [
    ["rooms", `${rooms - incomplete_rooms} of ${rooms} indexed`],
    ["behind", `${lag} events`],
    ["messages", is_estimate ? `about ${messages}` : String(messages)],
    ["size", formatSize(size_bytes)],
  ];
}

const reindexCommand: Command = {
  name: "search reindex",
  summary: "index messages again, the newest first; the running service does it",
  effect: "operate",
  options: { room: { value: "<name>", help: "only this room" } },
  run: inDatabase(async ({ sql }, call) => {
    const room = textOf(call, "room") ?? null;
    const count = await requestReindex(sql, room);
    const scope = room === null ? `${count} rooms` : `#${room}`;
    const text = `The service reindexes ${scope}. Until it is done, search uses the old index.`;
    return { json: { rooms: count }, text };
  }),
};

export const searchCommands: Command[] = [status, reindexCommand];
