import type { Cookie } from "../accounts/cookie.ts";
import { accountRoutes } from "../accounts/routes.ts";
import type { Identifier } from "../accounts/identify.ts";
import { activityRoutes } from "../activity/routes.ts";
import { adminRoutes } from "../admin/routes.ts";
import { avatarRoutes } from "../avatars/routes.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/connect.ts";
import { keepingRoutes } from "../keeping/routes.ts";
import type { Mailer } from "../email/mailer.ts";
import { incomingWebhookRoutes } from "../webhooks/incoming/routes.ts";
import { signupRoutes } from "../invites/routes.ts";
import type { Poster } from "../messages/post.ts";
import { messageRoutes } from "../messages/routes.ts";
import { threadRoutes } from "../messages/threads/routes.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { Store } from "../platform/storage/open.ts";
import { previewRoutes } from "../previews/routes.ts";
import type { PushDeps } from "../push/notify.ts";
import type { Discovery } from "../providers/deps.ts";
import { findEndSession } from "../providers/identities.ts";
import { providerRoutes } from "../providers/routes.ts";
import { pushRoutes } from "../push/routes.ts";
import { directRoutes } from "../rooms/direct/routes.ts";
import { roomRoutes } from "../rooms/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import type { SearchSlots } from "../search/slots.ts";
import type { TaggedRoutes, Wire } from "../routing/route.ts";
import { factorRoutes } from "../sign-in/factor-routes.ts";
import { signInRoutes } from "../sign-in/routes.ts";
import { themeRoutes } from "../themes/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { outgoingWebhookRoutes } from "../webhooks/outgoing/routes.ts";
import { healthRoutes } from "./health.ts";
import { teamRoutes } from "../admin/team-routes.ts";
import { metricsRoutes } from "./metrics.ts";

/** What the routes work with. */
export type RouteDeps = {
  database: Database;
  identifier: Identifier;
  challenge: Cookie;
  browser: Cookie;
  flow: Cookie;
  discovery: Discovery;
  store: Store;
  poster: Poster;
  egress: Egress;
  readKey: ReadKey;
  mailer: Mailer;
  pushing: PushDeps;
  searches: SearchSlots;
  baseUrl: string;
  metrics: Metrics;
  config: Config;
  isDraining(): boolean;
};

/** Every route of the service, by the tag that the API's description puts it under. */
export function createRoutes(deps: RouteDeps) {
  const { database, identifier, store, poster } = deps;
  // Complete only once its own route is in it; the document is made on the first request.
  let all: TaggedRoutes = {};
  const routes = {
    Accounts: [
      ...accountRoutes(database, identifier),
      ...signInRoutes(deps, (actor) => findEndSession(deps, actor)),
      ...factorRoutes(deps),
      ...providerRoutes(deps),
      ...signupRoutes(deps),
      ...avatarRoutes(database, store),
      ...themeRoutes(database.db),
    ],
    Rooms: [...roomRoutes(database), ...directRoutes(database)],
    Messages: [
      ...messageRoutes(database, poster),
      ...threadRoutes(database),
      ...keepingRoutes(database, poster),
      ...uploadRoutes(database, store),
      ...activityRoutes(database),
      ...previewRoutes(database.db, store.storage),
      ...searchRoutes(database, deps.searches),
    ],
    "Webhooks and push": [
      ...incomingWebhookRoutes(deps, poster),
      ...outgoingWebhookRoutes(deps),
      ...pushRoutes(deps.pushing),
    ],
    Administration: adminRoutes(deps),
    Site: [
      ...teamRoutes(database, store),
      ...healthRoutes(database.sql, deps.isDraining),
      ...metricsRoutes(deps.metrics, deps.config.metricsToken),
      ...openapiRoutes(deps.baseUrl, () => all),
    ],
  };
  all = routes;
  return routes;
}

type Declared = ReturnType<typeof createRoutes>;
type AnyDeclared = Declared[keyof Declared][number];

/** What clients send and receive, by route: `Routes["GET /api/rooms"]["answer"]`. */
export type Routes = { [R in AnyDeclared as R["name"]]: Wire<R> };
