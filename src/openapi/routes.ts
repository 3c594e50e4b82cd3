import { Type as t } from "@sinclair/typebox";
import { matchesEtag } from "../platform/http/conditional.ts";
import { route, type TaggedRoutes } from "../routing/route.ts";
import { describeApi } from "./document.ts";

export const openapiRoutes = (server: string, routes: () => TaggedRoutes) => {
  let response: { text: string; etag: string } | undefined;
  const readDocument = () => {
    if (response) return response;
    const text = JSON.stringify(describeApi(routes(), server));
    response = { text, etag: `"${Bun.hash(text).toString(36)}"` };
    return response;
  };
  return [
    route("GET /api/openapi.json", {
      access: "public",
      summary: "Get this document",
      responses: { 200: t.Object({ openapi: t.String() }), 304: null },
      handler({ request }) {
        const { text, etag } = readDocument();
        const headers = { "content-type": "application/json", etag, "cache-control": "no-cache" };
        if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
        return new Response(text, { headers });
      },
    }),
  ];
};
