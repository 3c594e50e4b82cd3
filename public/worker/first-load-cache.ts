import { isServerPath } from "../../src/wire/paths.ts";
import { limitWait } from "../app/connection/clock.ts";
import { type FetchEvent, scope } from "./scope.ts";

/** The assets of the first load, with hashes in their names. Defined by the bundler. */
declare const SHELL: string[];
/** Changes whenever one of the assets does. Defined by the bundler. */
declare const VERSION: string;

const CACHE = `snug-${VERSION}`;
const PAGE = "/";
/** The maximum time for activation, during which the browser delays all requests of its pages. */
const ACTIVATION_MS = 2_000;
/** How long to wait for the cache when offline. */
const OFFLINE_MS = 10_000;
/** The maximum time for which the worker stays alive to store an asset. */
const STORE_MS = 10_000;

/** Caches what the client needs to open offline. */
export async function cacheShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...SHELL]);
}

/** Takes over the open pages, and deletes the caches of earlier versions. */
export async function activateShell(): Promise<void> {
  await limitWait(deleteOldCaches, null, ACTIVATION_MS);
  await scope.clients.claim();
}

async function deleteOldCaches(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith("snug-") && name !== CACHE) await caches.delete(name);
  }
}

/** @returns null for requests that go to the network without the worker, such as the API */
export function respond(event: FetchEvent): Promise<Response> | null {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin) return null;
  if (isServerPath(pathname)) return null;
  if (request.mode === "navigate") return respondWithPage(request);
  // The names of assets change with their content, so a cached one never goes stale.
  return pathname.startsWith("/assets/") ? respondWithAsset(event) : null;
}

/** The page from the network, or from the cache when offline. */
async function respondWithPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await limitWait(
      () => caches.match(PAGE, { cacheName: CACHE }),
      undefined,
      OFFLINE_MS,
    );
    if (cached) return cached;
    throw error;
  }
}

/**
 * The asset from the cache, or else from the network, without waiting for it to be stored. When
 * offline, it waits longer for a slow cache.
 */
async function respondWithAsset(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const reading = (async () => caches.match(request))();
  const cached = await limitWait(() => reading, undefined);
  if (cached) return cached;
  try {
    const fetched = await fetch(request);
    if (fetched.ok) {
      const copy = fetched.clone();
      const store = async () => (await caches.open(CACHE)).put(request, copy);
      event.waitUntil(limitWait(store, null, STORE_MS));
    }
    return fetched;
  } catch (error) {
    const late = await limitWait(() => reading, undefined, OFFLINE_MS);
    if (late) return late;
    throw error;
  }
}
