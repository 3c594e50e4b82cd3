import { limitWait } from "./clock.ts";
import { SHARED_CACHE } from "./shared-cache.ts";

/** Text and files that another app has shared to Snug, from the cache of the service worker. */
export type Shared = { text: string; files: File[] };

/** @returns null if nothing was shared */
export async function readShared(): Promise<Shared | null> {
  if (!("caches" in globalThis)) return null;
  if (!(await limitWait(() => caches.has(SHARED_CACHE), false))) return null;
  const cache = await caches.open(SHARED_CACHE);
  const text = (await (await cache.match("/share/text"))?.text()) ?? "";
  const files: File[] = [];
  for (const request of await cache.keys()) {
    if (!new URL(request.url).pathname.startsWith("/share/files/")) continue;
    const response = await cache.match(request);
    if (!response) continue;
    const name = decodeURIComponent(response.headers.get("x-name") ?? "file");
    files.push(
      new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" }),
    );
  }
  return { text, files };
}
