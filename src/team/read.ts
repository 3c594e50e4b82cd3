import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { teamSettings, users } from "../database/schema.ts";
import { SETUP_STEPS } from "../wire/limits.ts";
import type { Team } from "../wire/models.ts";

/** The team's name until an administrator sets one. */
const DEFAULT_NAME = "Snug";

const findTeam = prepareQuery("read_team", (db) =>
  db
    .select({
      name: teamSettings.name,
      logoVersion: teamSettings.logoVersion,
      setupStep: teamSettings.setupStep,
      version: teamSettings.version,
      isEmpty: sql<boolean>`not exists (select from ${users} where not ${users.isBot})`,
    })
    .from(teamSettings),
);

/** The team, as everyone sees it. */
export async function readTeam(db: Query): Promise<Team> {
  const [row] = await findTeam(db, {});
  return {
    name: row?.name ?? DEFAULT_NAME,
    is_named: row?.name != null,
    logo_url: row?.logoVersion ? `/api/team/logo?v=${row.logoVersion}` : null,
    is_empty: row?.isEmpty ?? true,
    setup_step: row?.setupStep ?? SETUP_STEPS,
    version: row?.version ?? 0,
  };
}

/** How mails name the service: by the team, or by the host of its address. */
export async function readSiteName(db: Query, baseUrl: string): Promise<string> {
  const { is_named, name } = await readTeam(db);
  return is_named ? name : `Snug at ${new URL(baseUrl).host}`;
}
