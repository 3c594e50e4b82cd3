import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Drizzle } from "../database/connect.ts";
import { invalid } from "../platform/refusal.ts";
import { CreateBot, CreateToken, UpdateBot } from "../wire/admin.ts";
import { Id } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { createBot, getBot, listBots, updateBot } from "./bots.ts";
import { byOf } from "./by.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";

const bot = { params: t.Object({ id: Id }) };

/** Bots and their tokens, for site administrators. */
export function botRoutes(db: Drizzle, identifier: Identifier) {
  return new Elysia({ name: "admin-bots" })
    .use(guard(identifier))
    .derive(byOf)
    .get("/api/admin/bots", ({ query }) => listBots(db, query), { query: PageQuery })
    .post(
      "/api/admin/bots",
      ({ by, body, set }) => {
        set.status = 201;
        return db.transaction((tx) => createBot(tx, by, body));
      },
      { body: CreateBot },
    )
    .patch(
      "/api/admin/bots/:id",
      ({ by, params, body }) => db.transaction((tx) => updateBot(tx, by, params.id, body)),
      { ...bot, body: UpdateBot },
    )
    .get(
      "/api/admin/bots/:id/tokens",
      async ({ params, query }) => listTokens(db, (await getBot(db, params.id)).id, query),
      { ...bot, query: PageQuery },
    )
    .post(
      "/api/admin/bots/:id/tokens",
      ({ by, params, body, set }) => {
        const { name, scopes } = body;
        const given = { name, scopes, expiresAt: timeOf(body.expires_at) };
        set.status = 201;
        return db.transaction(async (tx) =>
          createToken(tx, by, await getBot(tx, params.id), given),
        );
      },
      { ...bot, body: CreateToken },
    )
    .delete(
      "/api/admin/bots/:id/tokens/:token_id",
      async ({ by, params, set }) => {
        await db.transaction((tx) => revokeToken(tx, by, params.token_id, params.id));
        set.status = 204;
      },
      { params: t.Object({ id: Id, token_id: Id }) },
    );
}

/** @throws Refusal `validation` for a day that no calendar has */
function timeOf(text: string | null | undefined): Date | null {
  if (!text) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid("/expires_at", "There is no such time.");
  return time;
}
