import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { Me, Page, User } from "../wire/models.ts";
import { PageQuery, SearchQuery } from "../wire/queries.ts";
import { UpdateMe } from "../wire/requests.ts";
import { listOnlineUsers, searchUsers } from "./directory.ts";
import { updateMe } from "./me.ts";
import { readMe } from "./users.ts";

export const userRoutes = ({ db, sql }: Database) => [
  route("GET /api/auth/me", {
    access: "signed-in",
    summary: "Get the caller's account",
    responses: { 200: Me },
    handler: ({ actor }) => readMe(db, actor.id),
  }),
  route("PATCH /api/auth/me", {
    access: "person",
    summary: "Change the fields of the caller's account that are present",
    body: UpdateMe,
    responses: { 200: Me },
    async handler({ actor, body }) {
      await updateMe(db, actor, body);
      return readMe(db, actor.id);
    },
  }),
  route("GET /api/users", {
    access: "signed-in",
    summary: "Find people by the beginning of a name",
    query: SearchQuery,
    responses: { 200: Page(User) },
    handler: ({ query }) => searchUsers(sql, query),
  }),
  route("GET /api/users/online", {
    access: "signed-in",
    summary: "List who is online now",
    query: PageQuery,
    responses: { 200: Page(User) },
    handler: ({ query }) => listOnlineUsers(sql, query),
  }),
];
