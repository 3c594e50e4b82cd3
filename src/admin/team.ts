import { eq, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import { checkSide, type Square, swapBlobs, versionOf } from "../avatars/avatars.ts";
import type { Database, Query, Transaction } from "../database/connect.ts";
import { teamLogos, teamSettings } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { cleanName } from "../platform/input/names.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Store } from "../platform/storage/open.ts";
import { route } from "../routing/route.ts";
import { readTeam } from "../team/read.ts";
import { serveBlob } from "../uploads/serve.ts";
import type { UpdateTeam } from "../wire/admin.ts";
import { MAX_TEAM_NAME_LENGTH } from "../wire/limits.ts";
import { Team } from "../wire/models.ts";
import { AvatarQuery } from "../wire/queries.ts";

const TARGET = { id: null, name: "team" };

/** @throws Refusal `validation` */
export async function changeTeam(
  tx: Transaction,
  actor: AuditActor,
  { name, setup_step }: UpdateTeam,
): Promise<Team> {
  await saveTeam(tx, {
    // Null removes the name.
    name: name == null ? name : cleanName(name, "/name", MAX_TEAM_NAME_LENGTH),
    setupStep: setup_step,
  });
  await writeAudit(tx, actor, "settings.team", TARGET, { name, setup_step });
  return readTeam(tx);
}

/** @param squares empty to remove the logo */
export async function changeLogo(
  tx: Transaction,
  actor: AuditActor,
  squares: Square[],
): Promise<Team> {
  const isRemoval = squares.length === 0;
  const team = await readTeam(tx);
  if (isRemoval && team.logo_url === null) return team;
  // Locks the settings first, so that concurrent changes run one after the other.
  await saveTeam(tx, { logoVersion: versionOf(squares) });
  const before = await tx.delete(teamLogos).returning();
  await swapBlobs(tx, squares, before);
  if (!isRemoval) await tx.insert(teamLogos).values(squares);
  const logo = isRemoval ? "removed" : "changed";
  await writeAudit(tx, actor, "settings.team", TARGET, { logo });
  return readTeam(tx);
}

async function saveTeam(
  tx: Transaction,
  values: Partial<typeof teamSettings.$inferInsert>,
): Promise<void> {
  await tx
    .insert(teamSettings)
    .values(values)
    .onConflictDoUpdate({
      target: teamSettings.isOnly,
      set: { ...values, version: sql`${teamSettings.version} + 1` },
    });
  await notifyInstances(tx, { kind: "team_updated" });
}

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
  checkSide(side, "logo");
  const [logo] = await db
    .select({ sha256: teamLogos.sha256, sizeBytes: teamLogos.sizeBytes })
    .from(teamLogos)
    .where(eq(teamLogos.side, side));
  if (!logo) throw new Refusal("not_found", "There is no logo.");
  const cacheControl = "public, max-age=60";
  return serveBlob(request, storage, logo, { mime: "image/webp", cacheControl });
}
