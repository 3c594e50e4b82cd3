import { Elysia, t } from "elysia";
import type { Database } from "../database/connect.ts";
import { callerOf } from "../platform/request-info.ts";
import { Refusal } from "../platform/refusal.ts";
import { Id } from "../wire/models.ts";
import { SearchQuery } from "../wire/queries.ts";
import {
  ChangePassword,
  ForgotPassword,
  LinkToken,
  Login,
  ResetPassword,
  UpdateMe,
} from "../wire/requests.ts";
import { listOnline, searchUsers } from "./directory.ts";
import { guard, isPublic, renewCookie } from "./guard.ts";
import { type Identifier, identifyIfAny } from "./identify.ts";
import { login } from "./login.ts";
import { changePassword, updateMe } from "./me.ts";
import { askForReset, checkReset, resetPassword } from "./resets.ts";
import { endSessions, listSessions, sessionOf } from "./sessions.ts";
import { readMe } from "./users.ts";

/** Signing in, one's own account, and the directory of people. */
export function accountRoutes(database: Database, identifier: Identifier) {
  const { db } = database;
  const { cookie } = identifier;
  return new Elysia({ name: "accounts" })
    .use(guard(identifier))
    .post(
      "/api/auth/login",
      async ({ body, request, set }) => {
        const { user, token } = await login(database, body, callerOf(request));
        set.headers["set-cookie"] = cookie.write(token);
        return readMe(db, user.id);
      },
      { body: Login, ...isPublic },
    )
    .post("/api/auth/logout", async ({ actor, set }) => {
      await db.transaction((tx) => endSessions(tx, actor.id, { only: sessionOf(actor) }));
      set.headers["set-cookie"] = cookie.clear();
      set.status = 204;
    })
    .get(
      "/api/auth/session",
      async ({ request, set }) => {
        const actor = await identifyIfAny(identifier, request);
        if (actor) renewCookie(identifier, request, actor, set.headers);
        return { user: actor && (await readMe(db, actor.id)) };
      },
      isPublic,
    )
    .get("/api/auth/me", ({ actor }) => readMe(db, actor.id))
    .patch(
      "/api/auth/me",
      async ({ actor, body }) => {
        await updateMe(db, actor, body);
        return readMe(db, actor.id);
      },
      { body: UpdateMe },
    )
    .put(
      "/api/auth/me/password",
      async ({ actor, body, set }) => {
        await changePassword(database, actor, body);
        set.status = 204;
      },
      { body: ChangePassword },
    )
    .get("/api/auth/me/sessions", async ({ actor }) => ({
      items: await listSessions(db, actor),
      next: null,
    }))
    .delete(
      "/api/auth/me/sessions/:id",
      async ({ actor, params, set }) => {
        const ended = await db.transaction((tx) => endSessions(tx, actor.id, { only: params.id }));
        if (ended === 0) throw new Refusal("not_found", "You have no such session.");
        set.status = 204;
      },
      { params: t.Object({ id: Id }) },
    )
    .post(
      "/api/auth/forgot-password",
      async ({ body, request, set }) => {
        set.status = 202;
        return askForReset(database, body.email, callerOf(request).address);
      },
      { body: ForgotPassword, ...isPublic },
    )
    .post("/api/auth/reset-password/check", ({ body }) => checkReset(db, body.token), {
      body: LinkToken,
      ...isPublic,
    })
    .post(
      "/api/auth/reset-password",
      async ({ body, set }) => {
        await resetPassword(db, body);
        set.status = 204;
      },
      { body: ResetPassword, ...isPublic },
    )
    .get("/api/users", ({ query }) => searchUsers(db, query), { query: SearchQuery })
    .get("/api/users/online", () => listOnline(db));
}
