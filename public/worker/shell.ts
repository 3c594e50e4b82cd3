import { isServerPath } from "../../src/wire/paths.ts";
import { scope } from "./scope.ts";

/** The assets of the first load, with hashes in their names. Defined by the bundler. */
declare const SHELL: string[];
/** Changes whenever one of them does. Defined by the bundler. */
declare const VERSION: string;

const CACHE = `snug-${VERSION}`;
const PAGE = "/";

/** Caches what the client needs to open offline. */
export async function cacheShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...SHELL]);
}

/** Deletes the caches of earlier versions. */
export async function deleteOldCaches(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith("snug-") && name !== CACHE) await caches.delete(name);
  }
  await scope.clients.claim();
}

/** @returns null for what the network answers without the worker, such as the API */
export function respond(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin) return null;
  if (isServerPath(pathname)) return null;
  if (request.mode === "navigate") return respondWithPage(request);
  // The names of assets change with their content, so a cached one never goes stale.
  return pathname.startsWith("/assets/") ? respondWithAsset(request) : null;
}

/** The page from the network, or the cached one when offline. */
async function respondWithPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(PAGE, { cacheName: CACHE });
    if (cached) return cached;
    throw error;
  }
}

async function respondWithAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request);
  if (cached) return cached;
  const fetched = await fetch(request);
  if (fetched.ok) await (await caches.open(CACHE)).put(request, fetched.clone());
  return fetched;
}
