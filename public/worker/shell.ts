import { isServerPath } from "../../src/wire/paths.ts";
import { scope } from "./scope.ts";

/** What the page loads at first, with hashes in the names; put in when the client is bundled. */
declare const SHELL: string[];
/** Changes with them. */
declare const VERSION: string;

const CACHE = `snug-${VERSION}`;
const PAGE = "/";

/** Keeps what is needed to open without a network. */
export async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...SHELL]);
}

/** Throws away what earlier versions have kept. */
export async function cleanUp(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith("snug-") && name !== CACHE) await caches.delete(name);
  }
  await scope.clients.claim();
}

/** @returns null for what goes to the network as if there were no worker: all of the API */
export function answer(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin) return null;
  if (isServerPath(pathname)) return null;
  if (request.mode === "navigate") return page(request);
  // Their names change with their content: what was fetched once is good for ever.
  return pathname.startsWith("/assets/") ? asset(request) : null;
}

/** The page as it is now; without a network, as it was kept. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: CACHE });
    if (kept) return kept;
    throw error;
  }
}

async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) await (await caches.open(CACHE)).put(request, fetched.clone());
  return fetched;
}
