import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { messages, teamSettings, users } from "../database/schema.ts";
import { AVATAR_SIDES, SETUP_STEPS } from "../wire/limits.ts";
import type { Team } from "../wire/models.ts";

/** Used until an administrator sets a name. */
const DEFAULT_NAME = "Snug";

/** SQL condition that the setup can be skipped: the team has a second account or a message. */
const isUsed = sql`(exists (select from ${users} where not ${users.isBot} offset 1)
  or exists (select from ${messages}))`;

export async function readTeam(db: Query): Promise<Team> {
  const [row] = await db
    .select({
      name: teamSettings.name,
      logoVersion: teamSettings.logoVersion,
      setupStep: sql<number>`case when ${teamSettings.setupStep} < ${SETUP_STEPS}::int and ${isUsed}
        then ${SETUP_STEPS}::int else ${teamSettings.setupStep} end`,
      version: teamSettings.version,
      isEmpty: sql<boolean>`not exists (select from ${users} where not ${users.isBot})`,
    })
    .from(teamSettings);
  return {
    name: row?.name ?? DEFAULT_NAME,
    is_named: row?.name != null,
    logo_url: row?.logoVersion ? `/api/team/logo?v=${row.logoVersion}` : null,
    is_empty: row?.isEmpty ?? true,
    setup_step: row?.setupStep ?? SETUP_STEPS,
    version: row?.version ?? 0,
  };
}

/** The service's name in emails: the team's name, or Snug with the host of the base URL. */
export async function readSiteName(db: Query, baseUrl: string): Promise<string> {
  const { is_named, name } = await readTeam(db);
  return is_named ? name : `Snug at ${new URL(baseUrl).host}`;
}

/** Minimum side length in pixels of an icon that browsers accept for an installed app. */
const MIN_ICON = 128;

/** @param manifest Snug's default, returned unchanged if the database is unavailable */
export async function buildManifest(db: Query, manifest: object): Promise<object> {
  const team = await readTeam(db).catch(() => null);
  if (!team) return manifest;
  const icons = AVATAR_SIDES.filter((side) => side >= MIN_ICON).map((side) => ({
    src: `${team.logo_url}&size=${side}`,
    sizes: `${side}x${side}`,
    type: "image/webp",
  }));
  return {
    ...manifest,
    ...(team.is_named && { name: team.name, short_name: team.name }),
    ...(team.logo_url && { icons }),
  };
}
