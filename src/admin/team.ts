import { eq, sql } from "drizzle-orm";
import { storeSquares } from "../avatars/avatars.ts";
import type { Database, Drizzle, Query, Transaction } from "../database/connect.ts";
import { teamLogos, teamSettings } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { cleanName } from "../platform/input/names.ts";
import type { Store } from "../platform/storage/open.ts";
import { enqueueBlobRemoval, linkBlobs, type StoredBlob } from "../uploads/blobs.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { receiveUpload } from "../uploads/receive.ts";
import { AVATAR_SIDES, MAX_TEAM_NAME_LENGTH } from "../wire/limits.ts";
import type { UpdateTeam } from "../wire/admin.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { route } from "../routing/route.ts";
import { serveBlob } from "../uploads/serve.ts";
import { Team } from "../wire/models.ts";
import { AvatarQuery } from "../wire/queries.ts";
import { readTeam } from "../team/read.ts";

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
 * Stores an uploaded picture.
 * @returns the blobs for `setLogo`
 * @throws Refusal as of an avatar
 */
export async function receiveLogo(db: Drizzle, store: Store, request: Request) {
  const maxBytes = await readUploadLimit(db);
  return store.incoming.use(async (newPath) => {
    const path = newPath();
    await receiveUpload(request, path, maxBytes);
    return storeSquares(db, store, path);
  });
}

/** @param blobs a picture for each of `AVATAR_SIDES`; empty to remove the logo */
export async function setLogo(tx: Transaction, blobs: StoredBlob[]): Promise<void> {
  // Locks the settings first, so that concurrent changes run one after the other.
  await saveTeam(tx, { logoVersion: blobs[0]?.sha256.toString("hex").slice(0, 8) ?? null });
  const before = await tx.delete(teamLogos).returning();
  if (blobs.length > 0) {
    await linkBlobs(
      tx,
      blobs.map(({ sha256 }) => sha256),
    );
    const rows = blobs.map((blob, i) => ({ ...blob, side: AVATAR_SIDES[i] as number }));
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

/** The team, which is shown before the sign-in. */
export const teamRoutes = ({ db }: Database, store: Store) => [
  route("GET /api/team", {
    access: "public",
    summary: "Get the team's name and logo",
    responses: { 200: Team },
    handler: () => readTeam(db),
  }),
  route("GET /api/team/logo", {
    access: "public",
    summary: "Get the team's logo",
    query: AvatarQuery,
    responses: { 200: { media: "image/webp", description: "The logo" }, 304: null },
    errors: ["not_found"],
    handler: ({ query, request }) => serveLogo(db, store, request, query.size),
  }),
];

async function serveLogo(db: Query, { storage }: Store, request: Request, side: number) {
  if (!AVATAR_SIDES.some((avatarSide) => avatarSide === side)) {
    throw makeInvalid("/size", `A logo is available in the sizes ${AVATAR_SIDES.join(", ")}.`);
  }
  const [logo] = await db
    .select({ sha256: teamLogos.sha256, sizeBytes: teamLogos.sizeBytes })
    .from(teamLogos)
    .where(eq(teamLogos.side, side));
  if (!logo) throw new Refusal("not_found", "There is no logo.");
  const options = { mime: "image/webp", disposition: "inline", cacheControl: "public, max-age=60" };
  return serveBlob(request, storage, logo, options);
}
