import type { Problem } from "../wire/codes.ts";
import type { Answer, RoomEvent, ServerEvent } from "../wire/events.ts";
import type { Me } from "../wire/models.ts";
import { SnugApi, SnugError } from "./api.ts";
import { Connection, timer } from "./connection.ts";
import { isOfLog } from "../wire/event-kinds.ts";
import type { Frame } from "../wire/frames.ts";

export { SnugError } from "./api.ts";

type SnugOptions = {
  /** The service's URL, such as `https://chat.example.org`. */
  url: string;
  /** A bot's token: `snug_…`. */
  token: string;
  /** Called for errors that no call throws, such as a refused frame or a revoked token. */
  onError?: (error: Error) => void;
};

type EventType = ServerEvent["type"];
type EventOf<T extends EventType, E = ServerEvent> = E extends { type: EventType }
  ? T extends E["type"]
    ? E
    : never
  : never;
type Handler = (event: never) => void;

/**
 * A bot's connection. Receives the events of the rooms it joins, in order and without gaps, even after
 * a lost connection or a restart of the service, and calls the REST API. Runs in Bun and in Node 22 or
 * later.
 */
export class Snug extends SnugApi {
  readonly #onError: (error: Error) => void;
  readonly #connection: Connection;
  readonly #handlers = new Map<EventType, Handler[]>();
  readonly #rooms = new JoinedRooms((frame) => this.#connection.send(frame));
  readonly #ready = Promise.withResolvers<void>();
  me: Me | null = null;

  constructor(options: SnugOptions) {
    super(options);
    this.#onError = options.onError ?? (() => {});
    this.#connection = new Connection({
      open: () => this.#openSocket(),
      clock: timer,
      random: Math.random,
      onStatus: (status, reason) => {
        if (status !== "signed-out") return;
        const detail = `The token is no longer valid (${reason}).`;
        this.#onError(new SnugError({ code: "invalid_token", detail }));
      },
      onEvent: (event) => this.#onEvent(event),
    });
  }

  /** Also loads the bot's account. @throws SnugError `invalid_token` */
  async connect(): Promise<this> {
    this.me = await this.call("GET /api/auth/me");
    this.#connection.start();
    await this.#ready.promise;
    return this;
  }

  /** Calls the handler for every event of this type, including the bot's own messages. */
  on<T extends EventType>(type: T, handler: (event: EventOf<T>) => void): this {
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler as Handler]);
    return this;
  }

  /**
   * Subscribes to the events of a room, from now on or after `seq`.
   * @param seq the last number that the bot has handled
   */
  join(roomId: string, seq?: number): this {
    this.#rooms.join(roomId, seq);
    return this;
  }

  leave(roomId: string): this {
    this.#rooms.leave(roomId);
    return this;
  }

  /** The number of the last event in a joined room, to be stored for the next start of the bot. */
  seqOf(roomId: string): number | null {
    return this.#rooms.seqOf(roomId);
  }

  close(): void {
    this.#connection.stop();
  }

  #openSocket(): WebSocket {
    const { url, token } = this.options;
    const headers = { authorization: `Bearer ${token}` };
    // WebSockets in browsers do not support headers; those of Bun and Node do.
    return new WebSocket(`${url.replace(/^http/, "ws")}/ws/chat`, { headers } as never);
  }

  #onEvent(event: ServerEvent): void {
    if (event.type === "hello") {
      this.#rooms.rejoin();
      this.#ready.resolve();
    }
    if (event.type === "error") this.#onError(new SnugError(event as Answer & Problem));
    if (!this.#rooms.note(event)) return;
    for (const handler of this.#handlers.get(event.type) ?? []) handler(event as never);
    if (event.type === "resync") this.#rooms.resume(event.room_id);
  }
}

/** The rooms that a bot has joined, with the last event handled in each. */
class JoinedRooms {
  /** The last `seq` of each room, for resuming; -1 before the first event. */
  readonly #seqs = new Map<string, number>();
  /** The rooms joined on the current connection. */
  readonly #joinedIds = new Set<string>();

  /** @param send sends a frame; without a connection the frame is dropped, and `rejoin` sends it again */
  constructor(private readonly send: (frame: Frame) => void) {}

  /** Joins a room to receive the events after `seq`; by default after the last event handled. */
  join(roomId: string, seq?: number): void {
    if (seq !== undefined) this.#seqs.set(roomId, seq);
    else if (!this.#seqs.has(roomId)) this.#seqs.set(roomId, -1);
    this.#sendJoin(roomId);
  }

  /** Joins a room again after `resync`, unless the bot has left it in the meantime. */
  resume(roomId: string): void {
    if (this.#seqs.has(roomId)) this.#sendJoin(roomId);
  }

  leave(roomId: string): void {
    this.#seqs.delete(roomId);
    this.#joinedIds.delete(roomId);
    this.send({ type: "leave", room_id: roomId });
  }

  rejoin(): void {
    this.#joinedIds.clear();
    for (const roomId of this.#seqs.keys()) this.#sendJoin(roomId);
  }

  /** The number of the last event handled in a room; null before the first. */
  seqOf(roomId: string): number | null {
    const seq = this.#seqs.get(roomId) ?? -1;
    return seq < 0 ? null : seq;
  }

  /**
   * Records that an event was handled.
   * @returns false if the event must be skipped: it was handled before, or it will be sent again after
   * a gap is filled
   */
  note(event: ServerEvent): boolean {
    if (event.type === "joined") {
      this.#joinedIds.add(event.room_id);
      if (this.seqOf(event.room_id) === null) this.#seqs.set(event.room_id, event.seq);
    }
    if (event.type === "resync" && this.#seqs.has(event.room_id)) this.#seqs.set(event.room_id, -1);
    return !isOfLog(event) || this.#isNext(event);
  }

  /** Skips an event that was handled before, and requests missing events if there is a gap. */
  #isNext(event: RoomEvent): boolean {
    const last = this.seqOf(event.room_id);
    if (!this.#seqs.has(event.room_id)) return true;
    // While the room is being joined again, the service sends this event again after the missing ones.
    if (!this.#joinedIds.has(event.room_id)) return false;
    if (last === null) return true;
    if (event.seq <= last) return false;
    if (event.seq > last + 1) {
      this.#sendJoin(event.room_id);
      return false;
    }
    this.#seqs.set(event.room_id, event.seq);
    return true;
  }

  #sendJoin(roomId: string): void {
    const seq = this.seqOf(roomId);
    this.send({ type: "join", room_id: roomId, ...(seq === null ? {} : { seq }) });
  }
}
