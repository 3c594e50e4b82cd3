import { Elysia } from "elysia";
import { isPublic } from "../accounts/guard.ts";
import { isUnchanged } from "../platform/conditional.ts";
import { describe, type Route } from "./document.ts";

/**
 * The description of the service, for programs. It is made when it is first asked for, of all the
 * app's routes.
 */
export function openapiRoutes(server: string, routes: () => Route[]) {
  let made: { text: string; etag: string } | undefined;
  const document = () => {
    if (made) return made;
    const text = JSON.stringify(describe(routes(), server));
    made = { text, etag: `"${Bun.hash(text).toString(36)}"` };
    return made;
  };
  return new Elysia({ name: "openapi" }).get(
    "/api/openapi.json",
    ({ request }) => {
      const { text, etag } = document();
      const headers = { "content-type": "application/json", etag, "cache-control": "no-cache" };
      if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
      return new Response(text, { headers });
    },
    isPublic,
  );
}
