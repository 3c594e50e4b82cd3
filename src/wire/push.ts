/** The payload of a push message for the service worker, as encrypted JSON. */
export type PushPayload = {
  /** The room's name, the sender of a direct message, or Snug. */
  title: string;
  body: string;
  path: string;
} & (
  | {
      type: "message";
      room_id: string;
      message_id: string;
      /** Whether the message mentions the recipient or is a direct message. */
      mention: boolean;
      /** ISO 8601, UTC. */
      created_at: string;
    }
  /** Belongs to the recipient. A notification replaces an earlier one with the same topic. */
  | { type: "reminder" | "scheduled_failed"; topic: string }
  | { type: "test" }
);

/** The service worker's message to a page after a click on a notification. */
export type WorkerMessage = { type: "open"; path: string };

/** A page's message to the service worker: activate the new version, or a room was read. */
export type PageMessage = { type: "use-new-version" } | { type: "read"; room_id: string };

/**
 * The same notification for browsers that show it without a service worker, such as Safari from 18.4
 * (Push API, "declarative push message"). It is sent in one JSON object with `PushPayload`.
 */
export type DeclarativePush = {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    tag: string;
    /** The URL to open on click. */
    navigate: string;
    icon: string;
    data: NotificationData;
  };
};

/** The data of a shown notification, for the service worker. */
export type NotificationData = {
  path: string;
  /** The number of unopened messages that the room's notification represents. */
  count: number;
};

/** The tag of a notification: a later one with the same tag replaces it. */
export function tagOf(payload: PushPayload): string {
  if (payload.type === "message") return pushTag(payload.room_id);
  return payload.type === "test" ? payload.type : payload.topic;
}

export function pushTag(roomId: string): string {
  return `room:${roomId}`;
}
