import { COMMAND_LINE } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { Refusal } from "../platform/refusal.ts";
import { listAllRooms } from "../rooms/read.ts";
import { readDefaultSections, saveDefaultSections } from "../sections/sections.ts";
import type { Section, Sections } from "../wire/sections.ts";
import { type Command, firstArg, inDatabase, type Result } from "./command.ts";

const show: Command = {
  name: "sections show",
  summary: "show the sidebar sections with which new accounts start",
  effect: "read",
  run: inDatabase(async ({ db }) => describeSections(db, await readDefaultSections(db))),
};

const set: Command = {
  name: "sections set",
  args: ["<file>"],
  summary: "set them to the lines of a file, such as Projects: #engines, #bridges",
  effect: "audited",
  async run(call) {
    const file = Bun.file(firstArg(call));
    if (!(await file.exists())) {
      throw new Refusal("not_found", `There is no file ${firstArg(call)}.`);
    }
    const text = await file.text();
    return withDatabase(call.config, async ({ db }) => {
      const sections = await parseSections(db, text);
      const saved = await db.transaction(async (tx) => {
        const { version } = await readDefaultSections(tx);
        return saveDefaultSections(tx, COMMAND_LINE, { base_version: version, sections });
      });
      return describeSections(db, saved);
    });
  },
};

export const sectionCommands: Command[] = [show, set];

/** @throws Refusal `room_not_found` for a name that no room has */
async function parseSections(db: Drizzle, text: string): Promise<Section[]> {
  const rooms = await listAllRooms(db);
  const idsByName = new Map(rooms.map(({ id, name }) => [name, id]));
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    // Names of sections can contain colons, names of rooms cannot.
    const colon = line.lastIndexOf(":");
    const names = colon === -1 ? [] : line.slice(colon + 1).split(",");
    const roomNames = names.map((name) => name.trim().replace(/^#/, "")).filter(Boolean);
    return {
      id: Bun.randomUUIDv7(),
      name: colon === -1 ? line : line.slice(0, colon),
      is_collapsed: false,
      room_ids: roomNames.map((name) => {
        const id = idsByName.get(name);
        if (!id) throw new Refusal("room_not_found", `There is no room named ${name}.`);
        return id;
      }),
    };
  });
}

/** In the form that `sections set` reads. */
async function describeSections(db: Drizzle, saved: Sections): Promise<Result> {
  const rooms = await listAllRooms(db);
  const namesById = new Map(rooms.map(({ id, name }) => [id, name]));
  const lines = saved.sections.map(({ name, room_ids }) => {
    const roomNames = room_ids.map((id) => `#${namesById.get(id)}`);
    return `${name}: ${roomNames.join(", ")}`.trim();
  });
  return { json: saved, text: lines.join("\n") || "New accounts start without sections." };
}
