import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { route } from "../routing/route.ts";
import { readTeam } from "../team/read.ts";
import { readMe } from "../users/users.ts";
import { Me, Nullable, Page, Session, Team } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { type Authenticator, authenticateCallerIfAny, renewCookie } from "./guard.ts";
import { endSessions, listSessions, sessionIdOf } from "./sessions.ts";

export const sessionRoutes = ({ db }: Database, authenticator: Authenticator) => {
  return [
    route("GET /api/auth/session", {
      access: "public",
      summary: "Get the caller, or null if nobody is signed in, and the team",
      responses: {
        200: t.Object({
          user: Nullable(Me),
          team: Team,
          is_restricted: t.Boolean({
            description:
              "Until a second factor is on, only the routes below /api/auth/ accept the session",
          }),
        }),
      },
      errors: ["invalid_token"],
      async handler({ request, headers }) {
        const actor = await authenticateCallerIfAny(authenticator, request);
        if (actor?.wasRenewed) renewCookie(authenticator, request, headers);
        const [user, team] = await Promise.all([actor && readMe(db, actor.id), readTeam(db)]);
        return { user, team, is_restricted: actor?.isRestricted ?? false };
      },
    }),
    route("GET /api/auth/me/sessions", {
      access: "person",
      summary: "List the caller's sessions",
      query: PageQuery,
      responses: { 200: Page(Session) },
      handler: ({ actor, query }) => listSessions(db, actor, query),
    }),
    route("DELETE /api/auth/me/sessions", {
      access: "person",
      summary: "End all of the caller's sessions but this one",
      responses: { 204: null },
      async handler({ actor }) {
        await db.transaction((tx) => endSessions(tx, actor.id, { except: sessionIdOf(actor) }));
      },
    }),
    route("DELETE /api/auth/me/sessions/:id", {
      access: "person",
      summary: "End one of the caller's sessions",
      responses: { 204: null },
      errors: ["not_found"],
      async handler({ actor, params }) {
        const endedCount = await db.transaction((tx) =>
          endSessions(tx, actor.id, { only: params.id }),
        );
        if (endedCount === 0) throw new Refusal("not_found", "You have no such session.");
      },
    }),
  ];
};
