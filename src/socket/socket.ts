import type { ServerWebSocket } from "bun";
import { type Caller, mayReadMessages } from "../routing/actor.ts";
import type { Answer, RoomEvent, RoomSignal } from "../wire/events.ts";
import { toCallersEvent } from "./callers-event.ts";
import type { TokenBucket } from "../platform/concurrency/token-bucket.ts";

/** Frames from `next` on are waiting, and take about this many bytes. */
type WaitingFrames = { frames: (string | Buffer)[]; next: number; bytes: number };

/**
 * The caller and the state of a socket. There are many sockets, so this is small: what the sockets
 * of a person share is in `Person`.
 */
export type SocketData = TokenBucket &
  Caller & {
    /** The id of the session or API token that opened the socket, and whose end closes it. */
    credentialId: string;
    /** Closes the socket when its token expires. */
    expiry: ReturnType<typeof setTimeout> | null;
    person: Person | null;
    /** Whether `hello` was sent. */
    isGreeted: boolean;
    /** Sends `hello` again, once. */
    nextHello: ReturnType<typeof setTimeout> | null;
    /** The number of frames that are being handled, and their bytes. */
    framesInProgress: number;
    bytesInProgress: number;
    waitingFrames: WaitingFrames | null;
    /** The last of the frames that are handled in order; null if none is being handled. */
    tail: Promise<void> | null;
    /** The number of rooms that the socket has open. */
    openRoomCount: number;
    /** Called when the client has read from its buffer, or the socket is closed. */
    onDrain: (() => void) | null;
  };
export type Socket = ServerWebSocket<SocketData>;

/** Someone with at least one socket on this instance. */
export type Person = {
  id: string;
  sockets: Set<Socket>;
  /**
   * The rooms and followed conversations that the person is in, each with the number of its log at which the
   * database confirmed the membership. Removals up to that number are outdated.
   */
  rooms: Map<string, number>;
  /** Those of `rooms` that were conversations until now, and were not announced as rooms yet. */
  formerConversations: Set<string>;
  /** The rooms that at least one of the sockets has open; null until one has. */
  open: Set<string> | null;
  /** The last of the signals that are handled in order. */
  tail: Promise<void>;
  /** Counts changes of `rooms`: what was read before a change is stale. */
  changes: number;
};

/**
 * `room:<id>` is for sockets that have the room open, `room:<id>:away` for members' sockets that do not. People
 * have no topics, which would take more memory than sending to their few sockets.
 */
export const roomTopic = (roomId: string) => `room:${roomId}`;
export const awayTopic = (roomId: string) => `room:${roomId}:away`;
/** In place of `room:<id>:away`, for sockets whose token may not read messages. */
export const awayWithoutTextTopic = (roomId: string) => `room:${roomId}:away-without-text`;
export const awayTopicOf = (socket: Socket, roomId: string) =>
  mayReadMessages(socket.data) ? awayTopic(roomId) : awayWithoutTextTopic(roomId);

export function sendEvent(socket: Socket, event: Answer | RoomEvent | RoomSignal): void {
  socket.send(JSON.stringify(toCallersEvent(socket.data, event)));
}
