/** The cache of the service worker that has what another app has shared to Snug. */
export const SHARED_CACHE = "shared";

/** Deletes what another app has shared from this browser. */
export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED_CACHE);
}
