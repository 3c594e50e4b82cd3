import type { InviteDeps } from "../invites/invites.ts";
import type { ProviderDeps } from "../providers/deps.ts";
import { botRoutes } from "./bot-routes.ts";
import { inviteRoutes } from "./invite-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { overviewRoutes } from "./overview.ts";
import { providerAdminRoutes } from "./provider-routes.ts";
import { adminRoomRoutes } from "./room-routes.ts";
import { type SettingsDeps, settingsRoutes } from "./settings-routes.ts";
import { signInAdminRoutes } from "./sign-in-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { createAccountTexts } from "./users.ts";

/** All routes under `/api/admin`. */
export const adminRoutes = (deps: SettingsDeps & InviteDeps & ProviderDeps) => {
  const { database } = deps;
  const { db } = database;
  const texts = createAccountTexts();
  return [
    ...userRoutes(database, texts),
    ...signInAdminRoutes(database),
    ...providerAdminRoutes(deps),
    ...adminRoomRoutes(database),
    ...inviteRoutes(db, deps),
    ...botRoutes(database, texts),
    ...settingsRoutes(deps),
    ...logRoutes(database),
    ...overviewRoutes(database),
  ];
};
