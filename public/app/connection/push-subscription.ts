import type { CallInput } from "../../../src/snug-client/calls.ts";
import type { Api } from "./api.ts";
import { limitWait } from "./clock.ts";

/**
 * Whether this browser gets notifications: `install` if it can once Snug is on the home screen (iOS),
 * `denied` if the user has blocked them.
 */
export type PushState = "unsupported" | "install" | "denied" | "off" | "on";

const WORKER_MS = 10_000;

/** Reads whether this browser shows notifications, or why it cannot. */
export async function readPushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) {
    return isAppleTouch() ? "install" : "unsupported";
  }
  if (Notification.permission === "denied") return "denied";
  return (await getSubscription()) ? "on" : "off";
}

/** Safari on an iPad claims to run on a Mac, but no Mac has a touch screen. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/**
 * Asks for permission, subscribes, and registers the subscription with the service.
 * @throws ApiError, or the browser's own error
 */
export async function enablePush(api: Api): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return readPushState();
  const { public_key } = await api.call("GET /api/push/key");
  // `ready` never resolves where no worker could be installed.
  const registration = await limitWait(() => navigator.serviceWorker.ready, null, WORKER_MS);
  if (!registration) throw new Error("The service worker has not started.");
  const { pushManager } = registration;
  const existing = await pushManager.getSubscription();
  const subscription =
    existing ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }));
  await registerSubscription(api, subscription);
  return "on";
}

/**
 * Turns off the notifications of this browser, here and on the service.
 * @throws ApiError
 */
export async function disablePush(api: Api): Promise<PushState> {
  const subscription = await getSubscription();
  if (subscription) {
    const { endpoint } = subscription;
    await api.call("DELETE /api/push/subscriptions", { body: { endpoint } });
    await subscription.unsubscribe();
  }
  return "off";
}

/** A subscription ends with its session, unless a new session of the same browser takes it over. */
export async function renewPush(api: Api): Promise<void> {
  const subscription = await getSubscription();
  if (subscription) await registerSubscription(api, subscription);
}

async function getSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function registerSubscription(api: Api, subscription: PushSubscription): Promise<void> {
  const body = subscription.toJSON() as CallInput<"POST /api/push/subscriptions">["body"];
  await api.call("POST /api/push/subscriptions", { body });
}
