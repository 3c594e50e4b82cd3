import { eq } from "drizzle-orm";
import type { Database, Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { teamLogos } from "../database/schema.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import type { Store } from "../platform/storage/open.ts";
import { route } from "../routing/route.ts";
import { serveBlob } from "../uploads/serve.ts";
import { AVATAR_SIDES } from "../wire/limits.ts";
import { Team } from "../wire/models.ts";
import { AvatarQuery } from "../wire/queries.ts";
import { readTeam } from "../team/read.ts";

const findLogo = prepareQuery("find_team_logo", (db, params: Params<{ side: number }>) =>
  db
    .select({ sha256: teamLogos.sha256, sizeBytes: teamLogos.sizeBytes })
    .from(teamLogos)
    .where(eq(teamLogos.side, params.side)),
);

/** The team, which is shown before the sign-in. */
export const teamRoutes = ({ db }: Database, store: Store) => [
  route("GET /api/team", {
    access: "public",
    summary: "Get the team's name and logo",
    answers: { 200: Team },
    run: () => readTeam(db),
  }),
  route("GET /api/team/logo", {
    access: "public",
    summary: "Get the team's logo",
    query: AvatarQuery,
    answers: { 200: { media: "image/webp", description: "The logo" }, 304: null },
    errors: ["not_found"],
    run: ({ query, request }) => serveLogo(db, store, request, query.size),
  }),
];

async function serveLogo(db: Query, { storage }: Store, request: Request, side: number) {
  if (!AVATAR_SIDES.some((one) => one === side)) {
    throw makeInvalid("/size", `A picture comes in the sizes ${AVATAR_SIDES.join(", ")}.`);
  }
  const [found] = await findLogo(db, { side });
  if (!found) throw new Refusal("not_found", "There is no logo.");
  const sent = { mime: "image/webp", disposition: "inline", cacheControl: "public, max-age=60" };
  return serveBlob(request, storage, found, sent);
}
