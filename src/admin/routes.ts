import { botRoutes } from "./bot-routes.ts";
import type { AdminDeps } from "./deps.ts";
import { inviteRoutes } from "./invite-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { adminRoomRoutes } from "./room-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Everything under `/api/admin`. */
export const adminRoutes = (deps: AdminDeps) => {
  const { database } = deps;
  const { db } = database;
  return [
    ...userRoutes(db),
    ...adminRoomRoutes(db),
    ...inviteRoutes(db, deps),
    ...botRoutes(db),
    ...settingsRoutes(deps),
    ...logRoutes(database),
  ];
};
