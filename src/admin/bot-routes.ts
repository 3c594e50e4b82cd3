import type { Database } from "../database/connect.ts";
import { parseTime } from "../platform/time.ts";
import { jsonText, route } from "../routing/route.ts";
import {
  AdminUser,
  ApiToken,
  CreateBot,
  CreateToken,
  NewApiToken,
  UpdateBot,
} from "../wire/admin.ts";
import { Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { createBot, requireBot, updateBot } from "./bots.ts";
import { changeAsAdministrator } from "./change.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import { type AccountTexts, listUsers } from "./users.ts";

/** Bots and their tokens, for site administrators. */
export const botRoutes = ({ db, sql }: Database, texts: AccountTexts) => [
  route("GET /api/admin/bots", {
    access: "administrator",
    summary: "List bots",
    query: PageQuery,
    answers: { 200: Page(AdminUser) },
    run: async ({ query }) =>
      jsonText(await listUsers({ db, sql }, texts, { ...query, kind: "bot" })),
  }),
  route("POST /api/admin/bots", {
    access: "administrator",
    proof: "needed",
    summary: "Create a bot",
    body: CreateBot,
    answers: { 201: AdminUser },
    errors: ["username_taken"],
    run: (call) => changeAsAdministrator(db, call, (tx, actor) => createBot(tx, actor, call.body)),
  }),
  route("PATCH /api/admin/bots/:id", {
    access: "administrator",
    proof: "needed",
    summary: "Rename, deactivate or reactivate a bot",
    body: UpdateBot,
    answers: { 200: AdminUser },
    errors: ["not_found"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) =>
        updateBot(tx, actor, call.params.id, call.body),
      ),
  }),
  route("GET /api/admin/bots/:id/tokens", {
    access: "administrator",
    summary: "List a bot's tokens, without their secrets",
    query: PageQuery,
    answers: { 200: Page(ApiToken) },
    errors: ["not_found"],
    run: async ({ params, query }) => listTokens(db, (await requireBot(db, params.id)).id, query),
  }),
  route("POST /api/admin/bots/:id/tokens", {
    access: "administrator",
    proof: "needed",
    summary: "Create a token; it is shown in this answer alone",
    body: CreateToken,
    answers: { 201: NewApiToken },
    errors: ["not_found"],
    async run(call) {
      const { name, scopes, expires_at } = call.body;
      const expiresAt = expires_at ? parseTime(expires_at, "/expires_at") : null;
      const params = { name, scopes, expiresAt };
      return changeAsAdministrator(db, call, async (tx, actor) =>
        createToken(tx, actor, await requireBot(tx, call.params.id), params),
      );
    },
  }),
  route("DELETE /api/admin/bots/:id/tokens/:token_id", {
    access: "administrator",
    proof: "needed",
    summary: "Revoke a token and close its sockets",
    answers: { 204: null },
    errors: ["not_found"],
    async run(call) {
      const { id, token_id } = call.params;
      await changeAsAdministrator(db, call, (tx, actor) => revokeToken(tx, actor, token_id, id));
    },
  }),
];
