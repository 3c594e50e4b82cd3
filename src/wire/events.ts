import { type Static, type TSchema, Type as t } from "@sinclair/typebox";
import { ROOM_EVENTS } from "./events/room.ts";
import { SOCKET_EVENTS } from "./events/socket.ts";
import { type Audience, type EventSpec, seq } from "./events/spec.ts";
import { USER_EVENTS } from "./events/user.ts";
import { Id } from "./models.ts";

/** Every event, each described once. Unions, webhooks and the client's types follow from this record. */
export const EVENTS = { ...ROOM_EVENTS, ...USER_EVENTS, ...SOCKET_EVENTS };

type Events = typeof EVENTS;
type EventType = keyof Events;
type TypeFor<A extends Audience> = {
  [T in EventType]: Events[T]["audience"] extends A ? T : never;
}[EventType];
type EventOf<T extends EventType> = T extends EventType ? Static<Events[T]["schema"]> : never;

/** The union of the events of one audience. */
function eventFor<A extends Audience>(audience: A) {
  const specs: EventSpec[] = Object.values(EVENTS);
  const schemas = specs.flatMap((one) =>
    one.audience === audience ? ((one.schema.anyOf as TSchema[] | undefined) ?? one.schema) : [],
  );
  return t.Unsafe<EventOf<TypeFor<A>>>(t.Union(schemas));
}

export const RoomEvent = eventFor("room-log");
export const RoomSignal = eventFor("room");
export const UserEvent = eventFor("user");
export const UnreadEvent = EVENTS.unread.schema;
export const UnreadChangedEvent = EVENTS.unread_changed.schema;
export const Answer = eventFor("socket");

/** The types of logged events. */
export const ROOM_EVENT_TYPES = (Object.keys(EVENTS) as EventType[]).filter(
  (type): type is RoomEventType => EVENTS[type].audience === "room-log",
);

/** A logged event of a newer version, which clients meet while a service is being upgraded. */
export const NewerEvent = t.Object({
  type: t.String({
    pattern: `^(?!(?:${ROOM_EVENT_TYPES.join("|")})$)[a-z_]+$`,
    description: "A type that is not described here: it moves the number and changes nothing",
  }),
  room_id: Id,
  seq,
});

export type RoomEventType = TypeFor<"room-log">;
export type RoomEvent = EventOf<RoomEventType>;
export type RoomSignal = EventOf<TypeFor<"room">>;
export type UserEvent = EventOf<TypeFor<"user">>;
export type UnreadEvent = EventOf<"unread">;
export type UnreadChangedEvent = EventOf<"unread_changed">;
export type Answer = EventOf<TypeFor<"socket">>;
export type ServerEvent = EventOf<EventType>;

/** What outgoing webhooks call an event. */
export type WebhookEvent = Extract<Events[EventType], { webhook: string }>["webhook"];

/** @returns what outgoing webhooks call an event; null if they do not send it */
export function webhookEventOf(type: RoomEventType): WebhookEvent | null {
  // A type of a newer version is in the log, but not here.
  const spec = EVENTS[type] as { webhook?: WebhookEvent } | undefined;
  return spec?.webhook ?? null;
}
