import type { Elysia } from "elysia";
import { authorizeCaller } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { checkProof } from "../accounts/proof.ts";
import { recallCaller, rememberCaller } from "../accounts/recent-callers.ts";
import type { Query } from "../database/connect.ts";
import { isStorable } from "../platform/json.ts";
import { createTextBody } from "../platform/large-body.ts";
import { makeInvalid } from "../platform/refusal.ts";
import { type RequestInfo, requestInfo } from "../platform/request-info.ts";
import type { Actor } from "../routing/actor.ts";
import { createReader } from "../routing/input.ts";
import { Answer, type AnyRoute, JsonText, type TaggedRoutes } from "../routing/route.ts";

/**
 * Registers declared routes with Elysia, which matches paths and their parameters. Each request is
 * checked in this order: caller, proof, path, query, body; then the handler runs. Elysia's schemas are not
 * used: they validate a body before its media type is known, and validate responses, too.
 */
export function registerRoutes(
  app: Elysia,
  db: Query,
  identifier: Identifier,
  tagged: TaggedRoutes,
): void {
  for (const route of Object.values(tagged).flat()) {
    const readInput = createReader(route);
    const handle = async ({ request, params }: { request: Request; params: object }) => {
      const info = requestInfo(request);
      info.route = route.path;
      if (request.url.includes("%00") || !isStorable(request.url)) {
        throw makeInvalid("", "The address must not contain NUL.");
      }
      const { headers } = info;
      const authorize = () => authorizeCaller(identifier, route, request, headers);
      const run = async (actor: Actor | null) => {
        if (route.proof === "needed" && actor) await checkProof(db, actor);
        const input = await readInput(request, params);
        const result = await route.run({ actor: actor ?? NOBODY, ...input, request, headers });
        return toResponse(route, result, info);
      };
      if (!route.checksCredential) return run(await authorize());
      const recent = recallCaller(identifier, route, request);
      if (!recent) return run(rememberCaller(identifier, request, await authorize()));
      try {
        return await run(recent);
      } catch (error) {
        // What is wrong with the caller comes first.
        await authorize();
        throw error;
      }
    };
    app.route(route.method, route.path, handle, { parse: "none" });
  }
}

/** A public route has no caller. Reading any field of it is a bug. */
const NOBODY = new Proxy({} as Actor, {
  get(_, part) {
    throw new Error(`A public route has no actor (${String(part)}).`);
  },
});

function toResponse(route: AnyRoute, result: unknown, info: RequestInfo): Response {
  const { headers } = info;
  if (result instanceof Response) {
    for (const value of headers.getSetCookie()) result.headers.append("set-cookie", value);
    return result;
  }
  const isChosen = result instanceof Answer;
  const status = isChosen ? result.status : Number(Object.keys(route.answers)[0]);
  const body = isChosen ? result.body : result;
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  info.hasHeaders = true;
  headers.set("cache-control", "no-store");
  if (text === undefined) return new Response(null, { status, headers });
  headers.set("content-type", "application/json");
  return new Response(createTextBody(text), { status, headers });
}
