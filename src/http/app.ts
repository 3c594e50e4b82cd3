import { Elysia } from "elysia";
import { problems } from "./errors.ts";
import { registerRoutes } from "./register.ts";
import { createRoutes, type RouteDeps } from "./routes.ts";

export type App = ReturnType<typeof createApp>;

/** All of REST: every error as a problem document, and the routes. */
export function createApp(deps: RouteDeps) {
  const app = new Elysia();
  app.use(problems());
  registerRoutes(app, deps.identifier, createRoutes(deps));
  app.get("/.well-known/change-password", () => Response.redirect("/profile/password", 303));
  return app;
}
