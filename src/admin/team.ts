import { sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { teamLogos, teamSettings } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { cleanName } from "../platform/names.ts";
import { squarePictures } from "../platform/images.ts";
import type { Store } from "../platform/storage/open.ts";
import { enqueueBlobRemoval, linkBlobs, type StoredBlob, storeBytes } from "../uploads/blobs.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { receiveUpload } from "../uploads/receive.ts";
import type { Drizzle } from "../database/connect.ts";
import { AVATAR_SIDES, MAX_TEAM_NAME_LENGTH } from "../wire/limits.ts";
import type { UpdateTeam } from "../wire/admin.ts";

type Values = Partial<typeof teamSettings.$inferInsert>;

/**
 * Changes the fields that are present.
 * @throws Refusal `validation`
 */
export async function updateTeam(tx: Transaction, params: UpdateTeam): Promise<void> {
  const { name, setup_step } = params;
  const values: Values = {};
  if (name !== undefined) {
    values.name = name === null ? null : cleanName(name, "/name", MAX_TEAM_NAME_LENGTH);
  }
  if (setup_step !== undefined) values.setupStep = setup_step;
  await saveTeam(tx, values);
}

/**
 * Stores the middle square of an uploaded picture in the sizes of avatars.
 * @returns a blob for each of them, for `setLogo`
 * @throws Refusal as of an avatar
 */
export async function storeLogo(db: Drizzle, store: Store, request: Request) {
  const maxBytes = await readUploadLimit(db);
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await receiveUpload(request, path, maxBytes);
    const pictures = await squarePictures(path, [...AVATAR_SIDES]);
    return Promise.all(pictures.map((bytes) => storeBytes(db, store, bytes)));
  });
}

/** @param kept a picture for each of `AVATAR_SIDES`, or none to remove the logo */
export async function setLogo(tx: Transaction, kept: StoredBlob[]): Promise<void> {
  // The settings first, so that concurrent changes run one after the other.
  await saveTeam(tx, { logoVersion: kept[0]?.sha256.toString("hex").slice(0, 8) ?? null });
  const before = await tx.delete(teamLogos).returning();
  if (kept.length > 0) {
    await linkBlobs(
      tx,
      kept.map(({ sha256 }) => sha256),
    );
    const rows = kept.map((blob, i) => ({ ...blob, side: AVATAR_SIDES[i] as number }));
    await tx.insert(teamLogos).values(rows);
  }
  await enqueueBlobRemoval(
    tx,
    before.map(({ sha256 }) => sha256),
  );
}

async function saveTeam(tx: Transaction, values: Values): Promise<void> {
  await tx
    .insert(teamSettings)
    .values(values)
    .onConflictDoUpdate({
      target: teamSettings.isOnly,
      set: { ...values, version: sql`${teamSettings.version} + 1` },
    });
  await notifyInstances(tx, { kind: "team_updated" });
}
