/** The payload of a push message to the service worker, encrypted JSON. */
export type PushPayload = {
  /** The room's name, the sender of a direct message, or Snug. */
  title: string;
  body: string;
  /** The URL that a click opens. */
  path: string;
} & (
  | {
      type: "message";
      room_id: string;
      message_id: string;
      /** It names the recipient, or is a direct message. */
      mention: boolean;
      /** ISO 8601, UTC. */
      created_at: string;
    }
  /**
   * About the recipient's own messages: a reminder, or a scheduled message that failed. Each topic
   * is shown once.
   */
  | { type: "reminder" | "scheduled_failed"; topic: string }
  | { type: "test" }
);

/** The service worker's message to a page: a notification that leads there was clicked. */
export type WorkerMessage = { type: "open"; path: string };

/** A page's message to the worker: use the new version, or a room has been read. */
export type PageMessage = { type: "use-new-version" } | { type: "read"; room_id: string };

/** The tag of a room's notifications, by which they replace each other. */
export function pushTag(roomId: string): string {
  return `room:${roomId}`;
}
