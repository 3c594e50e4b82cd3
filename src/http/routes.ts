import { sessionRoutes } from "../authentication/routes.ts";
import { userRoutes } from "../users/routes.ts";
import { activityRoutes } from "../activity/routes.ts";
import { adminRoutes } from "../admin/routes.ts";
import { avatarRoutes } from "../avatars/routes.ts";
import type { Config } from "../config.ts";
import { draftRoutes } from "../drafts/routes.ts";
import { savedMessageRoutes } from "../saved-messages/routes.ts";
import { scheduledMessageRoutes } from "../scheduled-messages/routes.ts";
import type { Mailer } from "../email/mailer.ts";
import { incomingWebhookRoutes } from "../webhooks/incoming/routes.ts";
import { signupRoutes } from "../invites/routes.ts";
import type { Poster } from "../messages/post.ts";
import { messageRoutes } from "../messages/routes.ts";
import { threadRoutes } from "../messages/thread-routes.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Store } from "../platform/storage/open.ts";
import { previewRoutes } from "../previews/routes.ts";
import type { PushDeps } from "../push/notify.ts";
import type { ProviderDeps } from "../providers/deps.ts";
import { findEndSession } from "../providers/identities.ts";
import { providerRoutes } from "../providers/routes.ts";
import { pushRoutes } from "../push/routes.ts";
import { directRoutes } from "../rooms/direct/routes.ts";
import { personRoutes, roomRoutes } from "../rooms/routes.ts";
import { sectionRoutes } from "../sections/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import type { SearchSlots } from "../search/search.ts";
import type { TaggedRoutes, Wire } from "../routing/route.ts";
import { factorRoutes, signInRoutes } from "../sign-in/routes.ts";
import { themeRoutes } from "../themes/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { outgoingWebhookRoutes } from "../webhooks/outgoing/routes.ts";
import { healthRoutes } from "./health.ts";
import { teamRoutes } from "../admin/team.ts";
import { metricsRoutes } from "./metrics.ts";

export type RouteDeps = ProviderDeps & {
  store: Store;
  poster: Poster;
  mailer: Mailer;
  pushing: PushDeps;
  searches: SearchSlots;
  metrics: Metrics;
  config: Config;
  isDraining(): boolean;
};

/** Every route of the service, by its tag in the API's description. */
export function createRoutes(deps: RouteDeps) {
  const { database, authenticator, store, poster } = deps;
  // The description has a route of its own, so it reads `taggedRoutes` on the first request, when the list is
  // complete.
  let taggedRoutes: TaggedRoutes = {};
  const routes = {
    Accounts: [
      ...sessionRoutes(database, authenticator),
      ...userRoutes(database),
      ...personRoutes(database),
      ...signInRoutes(deps, (actor) => findEndSession(deps, actor)),
      ...factorRoutes(deps),
      ...providerRoutes(deps),
      ...signupRoutes(deps),
      ...avatarRoutes(database, store),
      ...themeRoutes(database.db),
      ...sectionRoutes(database),
    ],
    Rooms: [...roomRoutes(database), ...directRoutes(database)],
    Messages: [
      ...messageRoutes(database, poster),
      ...threadRoutes(database),
      ...savedMessageRoutes(database),
      ...scheduledMessageRoutes(database, poster),
      ...draftRoutes(database),
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
      ...openapiRoutes(deps.baseUrl, () => taggedRoutes),
    ],
  };
  taggedRoutes = routes;
  return routes;
}

type RouteList = ReturnType<typeof createRoutes>;
type AnyDeclared = RouteList[keyof RouteList][number];

/** The request and response types of each route: `Routes["GET /api/rooms"]["response"]`. */
export type Routes = { [R in AnyDeclared as R["name"]]: Wire<R> };
