import { Elysia } from "elysia";
import { adminRoutes } from "../admin/routes.ts";
import { guard, isPublic, readMarks } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { accountRoutes } from "../accounts/routes.ts";
import type { Database } from "../database/connect.ts";
import type { Mailer } from "../email/mailer.ts";
import { hookRoutes } from "../hooks/routes.ts";
import { signupRoutes } from "../invites/routes.ts";
import type { Poster } from "../messages/post.ts";
import { messageRoutes } from "../messages/routes.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { Store } from "../platform/storage/open.ts";
import { previewRoutes } from "../previews/routes.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import type { PushDeps } from "../push/deliver.ts";
import { pushRoutes } from "../push/routes.ts";
import { roomRoutes } from "../rooms/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { avatarRoutes } from "../avatars/routes.ts";
import { themeRoutes } from "../themes/routes.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { jsonBodies, leaveBodies } from "./body.ts";
import { problems } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { checkInputs, readInputs } from "./input.ts";
import { metricsRoutes } from "./metrics.ts";

export type AppDeps = {
  database: Database;
  identifier: Identifier;
  store: Store;
  poster: Poster;
  egress: Egress;
  readKey: ReadKey;
  mailer: Mailer;
  pushing: PushDeps;
  baseUrl: string;
  metrics: Metrics;
  metricsToken: string | null;
  isDraining(): boolean;
};

/** All of REST: what every request passes, then a line for each concept's routes. */
export function createApp(deps: AppDeps) {
  const {
    database,
    identifier,
    store,
    poster,
    egress,
    readKey,
    mailer,
    pushing,
    baseUrl,
    metrics,
    metricsToken,
    isDraining,
  } = deps;
  const app = new Elysia()
    .use(problems())
    .use(jsonBodies())
    .use(guard(identifier))
    .use(checkInputs())
    .use(healthRoutes(database.sql, isDraining))
    .use(metricsRoutes(metrics, metricsToken))
    .use(accountRoutes(database, identifier))
    .use(signupRoutes(database, identifier))
    .use(themeRoutes(database.db, identifier))
    .use(avatarRoutes(database, identifier, store))
    .use(roomRoutes(database, identifier))
    .use(messageRoutes(database, identifier, poster))
    .use(uploadRoutes(database, identifier, store))
    .use(previewRoutes(database.sql, identifier, store.storage))
    .use(webhookRoutes({ database, egress, readKey }, identifier))
    .use(pushRoutes(pushing, identifier))
    .use(hookRoutes({ database, readKey, baseUrl }, identifier, poster))
    .use(adminRoutes({ database, readKey, mailer, baseUrl }, identifier))
    .get(
      "/.well-known/change-password",
      ({ redirect }) => redirect("/profile/password", 303),
      isPublic,
    );
  app.use(openapiRoutes(baseUrl, () => app.routes));
  readMarks(app.routes);
  leaveBodies(app.routes);
  readInputs(app.routes);
  return app;
}

export type App = ReturnType<typeof createApp>;
