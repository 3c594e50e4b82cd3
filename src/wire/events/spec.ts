import { type TProperties, type TSchema, Type as t } from "@sinclair/typebox";
import { Id, Timestamp } from "../models.ts";

/**
 * Who receives an event over `/ws/chat`:
 * - `room-log`: sockets that have the room open. The event is a row of the room's log and takes its
 *   next number (`seq`), in commit order across all instances; it is replayed to those who missed it.
 * - `room`: the same sockets, but the event is not stored. Missing one costs a refetch, never a message.
 * - `away`: members' sockets that do not have the room open.
 * - `user`: all sockets of one user.
 * - `socket`: one socket, as the answer to its frame.
 */
export type Audience = "room-log" | "room" | "away" | "user" | "socket";

/** How an event is declared. */
export type EventSpec = {
  audience: Audience;
  schema: TSchema;
  /** For a logged event: members who do not have the room open receive it too. */
  isAlsoAway?: true;
  /** For a logged event: its name in outgoing webhooks. Webhooks do not send one without a name. */
  webhook?: string;
};

export const seq = t.Integer({
  minimum: 0,
  description: "Counts the events of one room, without gaps",
});

/** What a deletion says to those who have never received the message. */
export const whenWritten = {
  created_at: t.Optional({
    ...Timestamp,
    description: "When the message was written, if it was deleted before it was sent to anyone",
  }),
};

/** The schema of an event: its `type`, and its own properties. */
export const event = <T extends string, P extends TProperties>(type: T, properties: P) =>
  t.Object({ type: t.Literal(type), ...properties });

/** The schema of an event of a room's log, which has the room and the number as well. */
export const logged = <T extends string, P extends TProperties>(type: T, properties: P) =>
  t.Object({ type: t.Literal(type), ...properties, room_id: Id, seq });
