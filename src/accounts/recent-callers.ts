import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { hashToken } from "../platform/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import type { AnyRoute } from "../routing/route.ts";
import { refuseCaller } from "./guard.ts";
import type { Identifier } from "./identify.ts";

/** For how long a caller is remembered: so late is the use of a credential recorded. */
const RECENT_MS = 10_000;
const MAX_CALLERS = 10_000;

const caches = new WeakMap<SqlClient, LRUCache<string, Actor>>();

function openCache({ sql }: Identifier): LRUCache<string, Actor> {
  const cache = caches.get(sql) ?? new LRUCache({ max: MAX_CALLERS, ttl: RECENT_MS });
  caches.set(sql, cache);
  return cache;
}

/** The hash of what the caller sends; null for nothing. */
function keyOf({ cookie }: Identifier, request: Request): string | null {
  const secret = request.headers.get("authorization") ?? cookie.read(request);
  return secret === null ? null : hashToken(secret).toString("hex");
}

/**
 * Who called a moment ago with the same credential, for routes whose statement checks that it has not
 * ended since: the check then needs no statement of its own.
 * @returns null for one that has to be read
 * @throws Refusal as `refuseCaller`
 */
export function recallCaller(
  identifier: Identifier,
  route: AnyRoute,
  request: Request,
): Actor | null {
  const key = keyOf(identifier, request);
  const actor = key === null ? undefined : openCache(identifier).get(key);
  if (!actor) return null;
  refuseCaller(actor, route);
  return actor;
}

/** @returns the caller */
export function rememberCaller(
  identifier: Identifier,
  request: Request,
  actor: Actor | null,
): Actor | null {
  const key = keyOf(identifier, request);
  if (actor && key !== null) openCache(identifier).set(key, { ...actor, renewed: false });
  return actor;
}
