/**
 * The globals of a service worker used here. TypeScript cannot combine the types of pages and of
 * workers in one project (Service Workers, Push API and Notifications API, W3C).
 */
export type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
export type FetchEvent = ExtendableEvent & {
  request: Request;
  respondWith(response: Promise<Response> | Response): void;
};
export type PushEvent = ExtendableEvent & { data: { json(): unknown } | null };
export type NotificationEvent = ExtendableEvent & { notification: Notification };
export type ExtendableMessageEvent = ExtendableEvent & { data: unknown };
export type SubscriptionChangeEvent = ExtendableEvent & {
  oldSubscription: PushSubscription | null;
  newSubscription: PushSubscription | null;
};

type Page = {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<Page>;
  postMessage(message: unknown): void;
};

export type WorkerScope = {
  registration: ServiceWorkerRegistration;
  location: Location;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<Page[]>;
    openWindow(url: string): Promise<Page | null>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", on: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", on: (event: FetchEvent) => void): void;
  addEventListener(type: "push", on: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", on: (event: NotificationEvent) => void): void;
  addEventListener(type: "message", on: (event: ExtendableMessageEvent) => void): void;
  addEventListener(
    type: "pushsubscriptionchange",
    on: (event: SubscriptionChangeEvent) => void,
  ): void;
};

export const scope = self as unknown as WorkerScope;
