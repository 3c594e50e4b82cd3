import type { Problem } from "../wire/codes.ts";
import type { Answer, ServerEvent } from "../wire/events.ts";
import type { Scheduled } from "../wire/keeping.ts";
import type { Direct, Me, Message, MyRoom, SearchResults } from "../wire/models.ts";
import {
  type AnswerOf,
  type AnyInput,
  type CallArguments,
  type CallInput,
  fillRoute,
  type RouteName,
} from "./calls.ts";
import { Connection, timer } from "./connection.ts";
import { JoinedRooms } from "./joined-rooms.ts";
import { callRest, readAll, SnugError } from "./rest.ts";

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
type Post = CallInput<"POST /api/rooms/:id/messages">["body"];

const MAX_POST_ATTEMPTS = 6;

/**
 * A bot's connection. It receives the events of the rooms that it joins, in order and without gaps,
 * across lost connections and restarts of the service, and calls the REST API. It runs in Bun, and
 * in Node 22 and later.
 */
export class Snug {
  readonly #options: SnugOptions;
  readonly #connection: Connection;
  readonly #handlers = new Map<EventType, Handler[]>();
  readonly #rooms = new JoinedRooms((frame) => this.#connection.send(frame));
  readonly #ready = Promise.withResolvers<void>();
  /** The bot's own account, once it is connected. */
  me: Me | null = null;

  constructor(options: SnugOptions) {
    this.#options = { ...options, url: options.url.replace(/\/$/, "") };
    this.#connection = new Connection({
      open: () => this.#openSocket(),
      clock: timer,
      random: Math.random,
      onStatus: (status, reason) => {
        if (status !== "signed-out") return;
        const detail = `The token is no longer valid (${reason}).`;
        this.#options.onError?.(new SnugError({ code: "invalid_token", detail }));
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

  /** The rooms that the bot is a member of. */
  rooms(): Promise<MyRoom[]> {
    return readAll((cursor) => this.call("GET /api/rooms", { query: { limit: 200, cursor } }));
  }

  /** The bot's direct conversations, the last active first. A conversation is joined by its id. */
  directs(): Promise<Direct[]> {
    return readAll((cursor) => this.call("GET /api/direct", { query: { limit: 200, cursor } }));
  }

  /**
   * The direct conversation with a person who is in a room with the bot. It is created if there is none,
   * at most 20 times an hour.
   * @throws SnugError `user_not_found`, `rate_limited`
   */
  direct(userId: string): Promise<Direct> {
    return this.call("POST /api/direct", { body: { user_ids: [userId] } });
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

  /**
   * Posts a message. Without an answer it retries with the same `client_id`, so that the message is
   * posted once.
   * @param more other fields of a message, such as `thread_id` or `quote_id`
   * @throws SnugError
   */
  async post(roomId: string, content: string, more: Omit<Post, "content"> = {}): Promise<Message> {
    const body = { client_id: crypto.randomUUID(), ...more, content };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.call("POST /api/rooms/:id/messages", { params: { id: roomId }, body });
      } catch (error) {
        const canRetry = !(error instanceof SnugError) || error.code === "unavailable";
        if (!canRetry || attempt >= MAX_POST_ATTEMPTS) throw error;
        await sleep(250 * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  /**
   * Answers a message: in the room with a mention of its author, or in its thread, whose followers
   * learn of it, or by quoting it.
   * @throws SnugError
   */
  reply(
    message: Pick<Message, "id" | "room_id" | "author">,
    content: string,
    { thread = false, quote = false }: { thread?: boolean; quote?: boolean } = {},
  ): Promise<Message> {
    const more = {
      ...(thread && { thread_id: message.id }),
      ...(quote && { quote_id: message.id }),
    };
    const text = thread || quote ? content : `@${message.author.username} ${content}`;
    return this.post(message.room_id, text, more);
  }

  /**
   * Plans a message for a time, 1 minute to 1 year from now. It is posted as long as the bot may post
   * then.
   * @param zone the IANA name of the zone in which the time was chosen
   * @throws SnugError
   */
  schedule(roomId: string, content: string, at: Date, zone = "UTC"): Promise<Scheduled> {
    const client_id = crypto.randomUUID();
    const body = { room_id: roomId, content, send_at: at.toISOString(), zone, client_id };
    return this.call("POST /api/scheduled", { body });
  }

  /** Toggles the bot's reaction on a message. @throws SnugError */
  async react(messageId: string, emoji: string): Promise<void> {
    await this.call("POST /api/messages/:id/reactions", {
      params: { id: messageId },
      body: { emoji },
    });
  }

  /**
   * Searches the messages of the bot's rooms, the newest first.
   * @param query the words and filters, and other parameters of the route, such as `room_id` or `cursor`
   * @throws SnugError `empty_query`, `query_too_wide`, `search_busy` and others
   */
  search(
    q: string,
    query: CallInput<"GET /api/search/messages">["query"] = {},
  ): Promise<SearchResults> {
    return this.call("GET /api/search/messages", { query: { ...query, q } });
  }

  /** Gets any path. For typed params and answers use `call`. */
  get<T>(path: string): Promise<T> {
    return this.call("GET", path);
  }

  /**
   * Calls a route of the REST API by its name: params, query, body and answer have its types. An
   * answer of bytes is a `Blob`.
   * @throws SnugError, or the error of `fetch`
   */
  call<Name extends RouteName>(route: Name, ...input: CallArguments<Name>): Promise<AnswerOf<Name>>;
  /** Calls any path. @throws SnugError, or the error of `fetch` */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  call(target: string, pathOrInput: string | AnyInput = {}, body?: object): Promise<unknown> {
    if (typeof pathOrInput === "string") return callRest(this.#options, target, pathOrInput, body);
    const { method, path } = fillRoute(target, pathOrInput);
    return callRest(this.#options, method, path, pathOrInput.body);
  }

  close(): void {
    this.#connection.stop();
  }

  #openSocket(): WebSocket {
    const { url, token } = this.#options;
    const headers = { authorization: `Bearer ${token}` };
    // Browsers' WebSockets take no headers; Bun's and Node's do.
    return new WebSocket(`${url.replace(/^http/, "ws")}/ws/chat`, { headers } as never);
  }

  #onEvent(event: ServerEvent): void {
    if (event.type === "hello") {
      this.#rooms.rejoin();
      this.#ready.resolve();
    }
    if (event.type === "error") this.#options.onError?.(new SnugError(event as Answer & Problem));
    if (!this.#rooms.note(event)) return;
    for (const handler of this.#handlers.get(event.type) ?? []) handler(event as never);
    if (event.type === "resync") this.#rooms.resume(event.room_id);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
