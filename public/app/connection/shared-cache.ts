/** The name of the service worker's cache of what another app has shared to Snug. */
export const SHARED_CACHE = "shared";

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED_CACHE);
}
