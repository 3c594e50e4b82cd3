/** What a push carries to the service worker, encrypted, as JSON. */
export type PushPayload = {
  /** The room's name, or Snug's. */
  title: string;
  body: string;
  /** What a click opens. */
  path: string;
} & (
  | {
      type: "message";
      room_id: string;
      message_id: string;
      mention: boolean;
      /** ISO 8601, UTC. */
      created_at: string;
    }
  | { type: "test" }
);

/** What the service worker tells a page of ours: a notification that leads there was clicked. */
export type WorkerMessage = { type: "open"; path: string };

/** What a page tells the worker: a new version is to be used, or a room has been read. */
export type PageMessage = { type: "use-new-version" } | { type: "read"; room_id: string };

/** Notifications of one room replace each other by this. */
export function pushTag(roomId: string): string {
  return `room:${roomId}`;
}
