import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/request-info.ts";
import { jsonText, route } from "../routing/route.ts";
import { readTeam } from "../team/read.ts";
import { Me, Nullable, Page, Session, Team, User } from "../wire/models.ts";
import { PageQuery, SearchQuery } from "../wire/queries.ts";
import {
  ChangePassword,
  ForgotPassword,
  LinkToken,
  ResetPassword,
  UpdateMe,
} from "../wire/requests.ts";
import { listOnlineUsers, searchUsers } from "./directory.ts";
import { renewCookie } from "./guard.ts";
import { type Identifier, identifyCallerIfAny } from "./identify.ts";
import { changePassword, updateMe } from "./me.ts";
import { requestReset, checkReset, resetPassword } from "./resets.ts";
import { listSessions } from "./list-sessions.ts";
import { endSessions, sessionIdOf } from "./sessions.ts";
import { readMe } from "./users.ts";

/** The caller's own account, and the directory of people. Signing in is in `src/sign-in`. */
export const accountRoutes = ({ db, sql }: Database, identifier: Identifier) => {
  return [
    route("GET /api/auth/session", {
      access: "public",
      summary: "Get the caller, or null if nobody is signed in, and the team",
      answers: {
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
      async run({ request, headers }) {
        const actor = await identifyCallerIfAny(identifier, request);
        if (actor) renewCookie(identifier, request, actor, headers);
        const [user, team] = await Promise.all([actor && readMe(db, actor.id), readTeam(db)]);
        return { user, team, is_restricted: actor?.isRestricted ?? false };
      },
    }),
    route("GET /api/auth/me", {
      access: "signed-in",
      summary: "Get the caller's account",
      answers: { 200: Me },
      run: ({ actor }) => readMe(db, actor.id),
    }),
    route("PATCH /api/auth/me", {
      access: "person",
      summary: "Change the fields of the caller's account that are present",
      body: UpdateMe,
      answers: { 200: Me },
      async run({ actor, body }) {
        await updateMe(db, actor, body);
        return readMe(db, actor.id);
      },
    }),
    route("PUT /api/auth/me/password", {
      access: "person",
      proof: "by-handler",
      summary: "Change the caller's password and end all other sessions",
      description: "The current password is a proof for this call, unless a second factor is on.",
      body: ChangePassword,
      answers: { 204: null },
      errors: ["rate_limited"],
      run: ({ actor, body }) => changePassword(db, actor, body),
    }),
    route("GET /api/auth/me/sessions", {
      access: "person",
      summary: "List the caller's sessions",
      query: PageQuery,
      answers: { 200: Page(Session) },
      run: ({ actor, query }) => listSessions(db, actor, query),
    }),
    route("DELETE /api/auth/me/sessions", {
      access: "person",
      summary: "End all of the caller's sessions but this one",
      answers: { 204: null },
      async run({ actor }) {
        await db.transaction((tx) => endSessions(tx, actor.id, { except: sessionIdOf(actor) }));
      },
    }),
    route("DELETE /api/auth/me/sessions/:id", {
      access: "person",
      summary: "End one of the caller's sessions",
      answers: { 204: null },
      errors: ["not_found"],
      async run({ actor, params }) {
        const ended = await db.transaction((tx) => endSessions(tx, actor.id, { only: params.id }));
        if (ended === 0) throw new Refusal("not_found", "You have no such session.");
      },
    }),
    route("POST /api/auth/forgot-password", {
      access: "public",
      summary: "Request a link to choose a new password",
      description: "The answer does not reveal whether anyone has this address.",
      body: ForgotPassword,
      answers: { 202: t.Object({ sends_mail: t.Boolean({ description: "Mail is set up" }) }) },
      run: ({ body, request }) => requestReset(db, body.email, callerOf(request).address),
    }),
    route("POST /api/auth/reset-password/check", {
      access: "public",
      summary: "Get the account whose password a link resets",
      body: LinkToken,
      answers: { 200: t.Object({ username: t.String() }) },
      errors: ["link_not_found", "token_expired"],
      run: ({ body }) => checkReset(db, body.token),
    }),
    route("POST /api/auth/reset-password", {
      access: "public",
      summary: "Choose a new password with a link and end all sessions",
      body: ResetPassword,
      answers: { 204: null },
      errors: ["link_not_found", "token_expired"],
      run: ({ body }) => resetPassword(db, body),
    }),
    route("GET /api/users", {
      access: "signed-in",
      summary: "Find people by the beginning of a name",
      query: SearchQuery,
      answers: { 200: Page(User) },
      run: async ({ query }) => jsonText(await searchUsers(sql, query)),
    }),
    route("GET /api/users/online", {
      access: "signed-in",
      summary: "List who is online now",
      query: PageQuery,
      answers: { 200: Page(User) },
      run: async ({ query }) => jsonText(await listOnlineUsers(sql, query)),
    }),
  ];
};
