/**
 * The service worker's own globals, as far as they are used: the types of pages and of workers cannot
 * stand in one project (Service Workers, W3C; Push API; Notifications API).
 */
export type WaitingEvent = Event & { waitUntil(work: Promise<unknown>): void };
export type FetchingEvent = WaitingEvent & {
  request: Request;
  respondWith(answer: Promise<Response> | Response): void;
};
export type PushingEvent = WaitingEvent & { data: { json(): unknown } | null };
export type ClickingEvent = WaitingEvent & { notification: Notification };
export type MessagingEvent = WaitingEvent & { data: unknown };
export type SubscriptionEvent = WaitingEvent & {
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
  addEventListener(type: "install" | "activate", on: (event: WaitingEvent) => void): void;
  addEventListener(type: "fetch", on: (event: FetchingEvent) => void): void;
  addEventListener(type: "push", on: (event: PushingEvent) => void): void;
  addEventListener(type: "notificationclick", on: (event: ClickingEvent) => void): void;
  addEventListener(type: "message", on: (event: MessagingEvent) => void): void;
  addEventListener(type: "pushsubscriptionchange", on: (event: SubscriptionEvent) => void): void;
};

export const scope = self as unknown as WorkerScope;
