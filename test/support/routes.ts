import { createRoutes, type RouteDeps } from "../../src/http/routes.ts";
import type { AnyRoute } from "../../src/routing/route.ts";

/** Stands for every part that a handler works with: declaring a route reads parts, but calls none. */
export const PARTS: RouteDeps = new Proxy({} as RouteDeps, { get: () => PARTS });

/** Every route of the service, as declared: for tests that read what routes say. */
export const ROUTES: AnyRoute[] = Object.values(createRoutes(PARTS)).flat();
