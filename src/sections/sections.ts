import { eq, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { defaultSections, memberships, sectionLists, sectionRooms } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { cleanName } from "../platform/input/names.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { lockUser } from "../users/users.ts";
import { MAX_SECTION_NAME_LENGTH } from "../wire/limits.ts";
import type { SaveSections, Section, Sections } from "../wire/sections.ts";

type ListedRoom = { room_id: string; section_id: string };

/** The rooms that the user is in, in the user's order. */
const listedRooms = sql<ListedRoom[]>`coalesce((
  select json_agg(
    json_build_object('room_id', listed.room_id, 'section_id', listed.section_id)
    order by listed.position, listed.room_id)
  from ${sectionRooms} listed
  join ${memberships} m on m.room_id = listed.room_id and m.user_id = listed.user_id
  where listed.user_id = section_lists.user_id), '[]')`;

export async function readSections(db: Query, userId: string): Promise<Sections> {
  const [list] = await db
    .select({
      version: sectionLists.version,
      sections: sectionLists.sections,
      rooms: listedRooms,
    })
    .from(sectionLists)
    .where(eq(sectionLists.userId, userId));
  if (!list) return { version: 0, sections: [] };
  const roomsBySection = Map.groupBy(list.rooms, ({ section_id }) => section_id);
  const sections = list.sections.map(({ id, name, is_collapsed }) => ({
    id,
    name,
    is_collapsed,
    room_ids: (roomsBySection.get(id) ?? []).map(({ room_id }) => room_id),
  }));
  return { version: list.version, sections };
}

/**
 * Replaces a user's sections. Ignores rooms that the user is not in.
 * @throws Refusal `validation`, `sections_changed`
 */
export function saveSections(db: Drizzle, userId: string, params: SaveSections): Promise<Sections> {
  const sections = cleanSections(params.sections);
  return db.transaction(async (tx) => {
    await lockUser(tx, { id: userId });
    const current = await readSections(tx, userId);
    checkBaseVersion(current, params.base_version);
    const memberIds = await lockOwnMemberships(
      tx,
      userId,
      sections.flatMap(({ room_ids }) => room_ids),
    );
    const ownSections = sections.map((section) => ({
      ...section,
      room_ids: section.room_ids.filter((roomId) => memberIds.has(roomId)),
    }));
    const version = current.version + 1;
    await writeSections(tx, userId, version, ownSections);
    await notifyInstances(tx, { kind: "sections_updated", user_id: userId, version });
    return readSections(tx, userId);
  });
}

/** Gives a new account the default sections. Call it in the transaction that creates the account. */
export async function startSections(tx: Transaction, userId: string): Promise<void> {
  const { sections } = await readDefaultSections(tx);
  if (sections.length > 0) await writeSections(tx, userId, 0, sections);
}

/**
 * Locks memberships until the commit: someone who leaves a room meanwhile waits, and then removes it from the
 * sections too.
 * @returns the rooms among these that the user is in
 */
async function lockOwnMemberships(
  tx: Transaction,
  userId: string,
  roomIds: string[],
): Promise<Set<string>> {
  const rows = await tx.execute<{ room_id: string }>(sql`
    select room_id from memberships
    where user_id = ${userId} and room_id = any(${sql.param(roomIds)}::uuid[])
    order by room_id for key share`);
  return new Set(rows.map(({ room_id }) => room_id));
}

/** Stores sections. Rooms of the default that the user has not joined yet stay in their sections. */
async function writeSections(
  tx: Transaction,
  userId: string,
  version: number,
  sections: Section[],
): Promise<void> {
  const list = {
    version,
    sections: sections.map(({ id, name, is_collapsed }) => ({ id, name, is_collapsed })),
  };
  await tx
    .insert(sectionLists)
    .values({ userId, ...list })
    .onConflictDoUpdate({ target: sectionLists.userId, set: list });
  const sectionIds = sections.map(({ id }) => id);
  const ownRoomIds = sql`select ${memberships.roomId} from ${memberships}
    where ${memberships.userId} = ${userId}`;
  await tx.delete(sectionRooms).where(
    sql`${sectionRooms.userId} = ${userId} and (${sectionRooms.roomId} in (${ownRoomIds})
      or ${sectionRooms.sectionId} <> all(${sql.param(sectionIds)}::uuid[]))`,
  );
  const entries = sections.flatMap(({ id, room_ids }) =>
    room_ids.map((roomId) => ({ roomId, sectionId: id })),
  );
  // One text for any number of rooms, because every statement is prepared.
  await tx.insert(sectionRooms).select(sql`
    select ${userId}::uuid, listed.room_id, listed.section_id, listed.position::integer
    from unnest(
      ${sql.param(entries.map(({ roomId }) => roomId))}::uuid[],
      ${sql.param(entries.map(({ sectionId }) => sectionId))}::uuid[]
    ) with ordinality as listed(room_id, section_id, position)`);
}

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
  const newSections = cleanSections(params.sections);
  await tx.insert(defaultSections).values({ version: 0, sections: [] }).onConflictDoNothing();
  await tx.select().from(defaultSections).for("update");
  const current = await readDefaultSections(tx);
  checkBaseVersion(current, params.base_version);
  const sections = await keepExistingRooms(tx, newSections);
  const version = current.version + 1;
  await tx.update(defaultSections).set({ version, sections });
  const details = {
    sections: sections.map(({ name, room_ids }) => ({ name, rooms: room_ids.length })),
  };
  const target = { id: null, name: "sections" };
  await writeAudit(tx, actor, "settings.sections", target, details);
  return { version, sections };
}

/** Removes the ids of conversations, and of rooms that do not exist. */
async function keepExistingRooms(db: Query, sections: Section[]): Promise<Section[]> {
  const ids = sections.flatMap(({ room_ids }) => room_ids);
  const rows = await db.execute<{ id: string }>(sql`
    select id from rooms
    where id = any(${sql.param(ids)}::uuid[]) and kind = 'room' and deleted_at is null`);
  const existingIds = new Set(rows.map(({ id }) => id));
  return sections.map((section) => ({
    ...section,
    room_ids: section.room_ids.filter((id) => existingIds.has(id)),
  }));
}

/**
 * Validates sections. A room that is listed more than once stays where it is listed first.
 * @throws Refusal `validation`
 */
function cleanSections(sections: Section[]): Section[] {
  const sectionIds = new Set<string>();
  const roomIds = new Set<string>();
  const addIfMissing = (ids: Set<string>, id: string) => !ids.has(id) && Boolean(ids.add(id));
  return sections.map((section, i) => {
    if (!addIfMissing(sectionIds, section.id)) {
      throw makeFieldRefusal(`/sections/${i}/id`, "Another section has the same id.");
    }
    const name = cleanName(section.name, `/sections/${i}/name`, MAX_SECTION_NAME_LENGTH);
    return {
      id: section.id,
      name,
      is_collapsed: section.is_collapsed,
      room_ids: section.room_ids.filter((roomId) => addIfMissing(roomIds, roomId)),
    };
  });
}

/** @throws Refusal `sections_changed` with the current sections */
function checkBaseVersion(current: Sections, baseVersion: number): void {
  if (current.version === baseVersion) return;
  const detail = "The sections have been changed meanwhile. Apply your change to the current ones.";
  throw new Refusal("sections_changed", detail, { current });
}
