import { limitWait } from "../connection/clock.ts";
import { storeIfSpace, tabStore } from "../connection/storage.ts";

/** The name of the service worker's cache of what another app has shared to Snug. */
export const SHARED_CACHE = "shared";

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED_CACHE);
}

/** The key in the tab's storage for the people of a conversation that does not exist yet. */
export const NEW_DIRECT_KEY = "snug.new-direct";

/**
 * Removes a person's data from this browser, besides the storage shared by all tabs: the tab's own
 * storage, what another app has shared, and notifications that show messages.
 */
export async function forgetTab(): Promise<void> {
  storeIfSpace(tabStore, NEW_DIRECT_KEY, null);
  await Promise.all([limitWait(forgetShared, undefined), limitWait(closeNotifications, undefined)]);
}

async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}
