import { Elysia } from "elysia";
import type { Identifier } from "../accounts/identify.ts";
import { botRoutes } from "./bot-routes.ts";
import type { AdminDeps } from "./deps.ts";
import { inviteRoutes } from "./invite-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { adminRoomRoutes } from "./room-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** For site administrators alone: the guard turns everyone else away from `/api/admin`. */
export function adminRoutes(deps: AdminDeps, identifier: Identifier) {
  const { database } = deps;
  const { db } = database;
  return new Elysia({ name: "admin" })
    .use(userRoutes(db, identifier))
    .use(adminRoomRoutes(db, identifier))
    .use(inviteRoutes(db, deps, identifier))
    .use(botRoutes(db, identifier))
    .use(settingsRoutes(deps, identifier))
    .use(logRoutes(database, identifier));
}
