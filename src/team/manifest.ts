import type { Query } from "../database/connect.ts";
import { AVATAR_SIDES } from "../wire/limits.ts";
import { readTeam } from "./read.ts";

/** The smallest side of an icon with which browsers install an app, in pixels. */
const MIN_ICON = 128;

/**
 * The web manifest with the name and logo of the team, by which a browser installs the chat.
 * @param manifest the one of Snug itself, which is also the answer where the database has none
 */
export async function nameManifest(db: Query, manifest: object): Promise<object> {
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
