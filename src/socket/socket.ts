import type { ServerWebSocket } from "bun";
import type { Token } from "../routing/actor.ts";
import type { Answer, RoomEvent } from "../wire/events.ts";
import type { TokenBucket } from "../platform/token-bucket.ts";

/** Frames as they arrived: those from `next` on wait, and take about this many bytes. */
type WaitingFrames = { frames: (string | Buffer)[]; next: number; bytes: number };

/** The data of a socket: little, because there are many. The data of a person is in `Person`, once. */
export type SocketData = TokenBucket & {
  userId: string;
  /** The id of the session or API token that opened it: the socket closes when that ends. */
  credentialId: string;
  /** The token of a bot's socket; null for a person's. */
  bot: Token | null;
  /** Closes the socket when its token expires. */
  expiry: ReturnType<typeof setTimeout> | null;
  person: Person | null;
  /** `hello` was sent. */
  isGreeted: boolean;
  /** Frames that are being handled, and their bytes. */
  handling: number;
  handlingBytes: number;
  /** Frames that wait to be handled; null if there are none. */
  waiting: WaitingFrames | null;
  /** Resolves when the last of the frames that are handled in order is done; null when idle. */
  tail: Promise<void> | null;
  /** How many rooms it has open. */
  joined: number;
  /** Called when the client has read part of its buffer, or is gone; null if nothing waits for that. */
  onDrain: (() => void) | null;
};
export type Socket = ServerWebSocket<SocketData>;

/** Someone with at least one socket on this instance. */
export type Person = {
  id: string;
  sockets: Set<Socket>;
  /**
   * The rooms that the person is in, updated by the rooms' own logs. The value is the number of the
   * room's log at which the database confirmed it: a removal up to that number is already outdated.
   */
  rooms: Map<string, number>;
  /**
   * The conversations that at least one of the sockets has open, with numbers as `rooms` has; null until
   * one has. Others are not followed.
   */
  directs: Map<string, number> | null;
  /** The rooms and conversations that at least one of the sockets has open; null until one has. */
  open: Set<string> | null;
  /** Counts changes of `rooms`, so that what was read before a change is known to be stale. */
  changes: number;
};

/**
 * `room:<id>` is for sockets that have the room open, `room:<id>:away` for members' sockets that do
 * not. A person has no topic, which would take more memory than sending to the few sockets.
 */
export const roomTopic = (roomId: string) => `room:${roomId}`;
export const awayTopic = (roomId: string) => `room:${roomId}:away`;

/** Sends an event to one socket. */
export function sendEvent(socket: Socket, event: Answer | RoomEvent): void {
  socket.send(JSON.stringify(event));
}
