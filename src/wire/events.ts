import type { Code } from "./codes.ts";
import type { LinkPreview, Me, Message, MyRoom, Reaction, Room } from "./models.ts";

/**
 * What the service sends over `/ws/chat`. Those with a `seq` are a room's log: each takes the
 * room's next number, in commit order, on all instances together.
 */

/** Events that stand in a room's log, in the form that all in the room's channel receive. */
export type RoomEvent = { room_id: string; seq: number } & (
  | { type: "message" | "message_update"; message: Message }
  | { type: "message_delete"; message_id: string }
  | { type: "reaction"; message_id: string; reactions: Reaction[] }
  | { type: "link_preview"; message_id: string; preview: LinkPreview | null }
  | { type: "room_updated"; room: Room }
  | { type: "member_added" | "member_removed"; user_id: string }
);

/** Signals to a room that leave no trace: missing one costs a refetch, never a message. */
export type RoomSignal =
  | { type: "typing"; room_id: string; user_id: string }
  | { type: "member_updated"; room_id: string; user_ids: string[] | null };

/** What concerns one person, sent to all of that person's sockets. */
export type UserEvent =
  | { type: "room_added"; room: MyRoom }
  | { type: "room_removed"; room_id: string }
  | { type: "read"; room_id: string; last_read_at: string }
  | { type: "me_updated"; user: Me };

/** To members' sockets that do not have the room open, once for each message. */
export type UnreadEvent = {
  type: "unread";
  room_id: string;
  message_id: string;
  /** So that one's own message is not news on one's other screens; null for a webhook's. */
  author_id: string | null;
  created_at: string;
  /** Whether the message mentions the one who hears this, who did not write it. */
  mention: boolean;
};

/** Answers to one socket's frames. */
export type Answer =
  | { type: "hello"; user_id: string; instance: string; server_time: string }
  | { type: "joined"; room_id: string; seq: number }
  | { type: "resync"; room_id: string }
  | { type: "left"; room_id: string }
  | { type: "ack"; client_id: string; message: Message }
  | { type: "ack"; ref: string | null }
  | { type: "pong" }
  | { type: "error"; code: Code; detail: string; ref?: string; client_id?: string };

export type ServerEvent = RoomEvent | RoomSignal | UserEvent | UnreadEvent | Answer;
export type RoomEventType = RoomEvent["type"];
