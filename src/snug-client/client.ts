import type { Problem } from "../wire/codes.ts";
import type { Answer, ServerEvent } from "../wire/events.ts";
import type { Me } from "../wire/models.ts";
import { SnugApi } from "./api.ts";
import { Connection, timer } from "./connection.ts";
import { JoinedRooms } from "./joined-rooms.ts";
import { SnugError } from "./rest.ts";

export { SnugError } from "./rest.ts";

export type SnugOptions = {
  /** Where the service is: `https://chat.example.org`. */
  url: string;
  /** A bot's token: `snug_…`. */
  token: string;
  /** Called for errors that no call throws: a refused frame, a revoked token. */
  onError?: (error: Error) => void;
};

type EventType = ServerEvent["type"];
/** The events of this type. */
type EventOf<T extends EventType, E = ServerEvent> = E extends { type: EventType }
  ? T extends E["type"]
    ? E
    : never
  : never;
type Handler = (event: never) => void;

/**
 * A bot's connection. It receives the events of the rooms that it joins, in order and without gaps,
 * across lost connections and restarts of the service, and calls the REST API. It runs in Bun, and
 * in Node 22 and later.
 */
export class Snug extends SnugApi {
  readonly #onError: (error: Error) => void;
  readonly #connection: Connection;
  readonly #handlers = new Map<EventType, Handler[]>();
  readonly #rooms = new JoinedRooms((frame) => this.#connection.send(frame));
  readonly #ready = Promise.withResolvers<void>();
  /** The bot's own account, once it is connected. */
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

  /**
   * Loads the bot's account, and connects.
   * @throws SnugError `invalid_token`
   */
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
   * Receives what happens in a room from now on, or everything after `seq`.
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

  /** The number of a joined room's last event, to store for the next start of the bot. */
  seqOf(roomId: string): number | null {
    return this.#rooms.seqOf(roomId);
  }

  close(): void {
    this.#connection.stop();
  }

  #openSocket(): WebSocket {
    const { url, token } = this.options;
    const headers = { authorization: `Bearer ${token}` };
    // Browsers' WebSockets take no headers; Bun's and Node's do.
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
