import { sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { defaultSections, rooms } from "../database/schema.ts";
import type { SaveSections, Section, Sections } from "../wire/sections.ts";
import { checkBaseVersion, cleanSections } from "./clean-sections.ts";

const TARGET = { id: null, name: "sections" };

/** Reads the sections with which new accounts start. */
export async function readDefaultSections(db: Query): Promise<Sections> {
  const [row] = await db.select().from(defaultSections);
  if (!row) return { version: 0, sections: [] };
  return { version: row.version, sections: await keepExistingRooms(db, row.sections) };
}

/**
 * Replaces the sections with which new accounts start. Ignores conversations, and rooms that do not
 * exist.
 * @throws Refusal `validation`, `sections_changed`
 */
export async function saveDefaultSections(
  tx: Transaction,
  actor: AuditActor,
  params: SaveSections,
): Promise<Sections> {
  const cleaned = cleanSections(params.sections);
  await tx.insert(defaultSections).values({ version: 0, sections: [] }).onConflictDoNothing();
  await tx.select().from(defaultSections).for("update");
  const current = await readDefaultSections(tx);
  checkBaseVersion(current, params.base_version);
  const sections = await keepExistingRooms(tx, cleaned);
  const version = current.version + 1;
  await tx.update(defaultSections).set({ version, sections });
  const details = {
    sections: sections.map(({ name, room_ids }) => ({ name, rooms: room_ids.length })),
  };
  await writeAudit(tx, actor, "settings.sections", TARGET, details);
  return { version, sections };
}

/** Removes the ids of conversations, and of rooms that do not exist. */
async function keepExistingRooms(db: Query, sections: Section[]): Promise<Section[]> {
  const ids = sections.flatMap(({ room_ids }) => room_ids);
  const rows = await db
    .select({ id: rooms.id })
    .from(rooms)
    .where(
      sql`${rooms.id} = any(${sql.param(ids)}::uuid[]) and ${rooms.kind} = 'room'
        and ${rooms.deletedAt} is null`,
    );
  const existingIds = new Set(rows.map(({ id }) => id));
  return sections.map((section) => ({
    ...section,
    room_ids: section.room_ids.filter((id) => existingIds.has(id)),
  }));
}
