import { Elysia } from "elysia";
import { handleErrors } from "./errors.ts";
import { registerRoutes } from "./register.ts";
import { createRoutes, type RouteDeps } from "./routes.ts";

export type App = ReturnType<typeof createApp>;

/** All routes of REST; errors are answered as problem documents. */
export function createApp(deps: RouteDeps) {
  const app = new Elysia();
  app.use(handleErrors());
  registerRoutes(app, deps.database.db, deps.identifier, createRoutes(deps));
  app.get("/.well-known/change-password", () => Response.redirect("/profile/password", 303));
  return app;
}
