import type { CallInput } from "../../../src/snug-client/calls.ts";
import type { Api } from "./api.ts";

/**
 * Whether this browser gets notifications: `install` if it can once Snug is on the home screen (iOS),
 * `denied` if the user has blocked them.
 */
export type PushState = "unsupported" | "install" | "denied" | "off" | "on";

/** Reads whether this browser shows notifications, or why it cannot. */
export async function readPushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) {
    const isApple = /iPhone|iPad/.test(navigator.userAgent);
    return isApple ? "install" : "unsupported";
  }
  if (Notification.permission === "denied") return "denied";
  return (await getSubscription()) ? "on" : "off";
}

/**
 * Asks the person, subscribes, and tells the service.
 * @throws ApiError, or the browser's own error
 */
export async function enablePush(api: Api): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return readPushState();
  const { public_key } = await api.call("GET /api/push/key");
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  const subscription =
    known ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }));
  await registerSubscription(api, subscription);
  return "on";
}

/** Ends the notifications of this browser, here and on the service. @throws what the call throws */
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
