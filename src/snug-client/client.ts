import type { Answer, RoomEvent, ServerEvent } from "../wire/events.ts";
import type { Frame } from "../wire/frames.ts";
import type { Me, Message, MyRoom, Page } from "../wire/models.ts";
import type { Problem } from "../wire/codes.ts";

/** A refusal of the service: `code` is what to program against. */
export class SnugError extends Error {
  override readonly name = "SnugError";

  constructor(readonly problem: Pick<Problem, "code" | "detail"> & { status?: number }) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }
}

export type SnugOptions = {
  /** Where the service is: `https://chat.example.org`. */
  url: string;
  /** A bot's token: `snug_…`. */
  token: string;
  /** Told of what goes wrong by itself: a lost connection, a refused frame. */
  onError?: (error: Error) => void;
};

type EventType = ServerEvent["type"];
/** The events that have this type, among others perhaps. */
type EventOf<T extends EventType, E = ServerEvent> = E extends { type: EventType }
  ? T extends E["type"]
    ? E
    : never
  : never;
type Handler = (event: never) => void;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const PING_MS = 30_000;
const CLOSE_SIGNED_OUT = 4401;

/**
 * A bot's connection: hears what happens in the rooms that it joins, in order and without gaps, over
 * lost connections and restarts of the service, and calls the REST API. Runs in Bun, and in Node 22
 * and later.
 */
export class Snug {
  readonly #options: SnugOptions;
  readonly #handlers = new Map<EventType, Handler[]>();
  /** Each joined room's last number: where to go on after a lost connection. */
  readonly #seqs = new Map<string, number>();
  /** Those that this connection has joined. */
  readonly #joined = new Set<string>();
  #socket: WebSocket | null = null;
  #ready = Promise.withResolvers<void>();
  #failures = 0;
  #closed = false;
  #ping: ReturnType<typeof setInterval> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Who the bot is, once it is connected. */
  me: Me | null = null;

  constructor(options: SnugOptions) {
    this.#options = { ...options, url: options.url.replace(/\/$/, "") };
  }

  /**
   * Finds out who calls, and connects.
   * @throws SnugError `invalid_token`
   */
  async connect(): Promise<this> {
    this.me = await this.get<Me>("/api/auth/me");
    this.#open();
    await this.#ready.promise;
    return this;
  }

  /** Calls the handler for every event of this type, one's own messages included. */
  on<T extends EventType>(type: T, handler: (event: EventOf<T>) => void): this {
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler as Handler]);
    return this;
  }

  /** The rooms that the bot is in. */
  async rooms(): Promise<MyRoom[]> {
    const rooms: MyRoom[] = [];
    for (let cursor = ""; ;) {
      const page = await this.get<Page<MyRoom>>(`/api/rooms?limit=200${cursor}`);
      rooms.push(...page.items);
      if (page.next === null) return rooms;
      cursor = `&cursor=${page.next}`;
    }
  }

  /**
   * Hears what happens in a room from now on, or from a number on that was kept.
   * @param seq the last number that was dealt with
   */
  join(roomId: string, seq?: number): this {
    if (seq !== undefined) this.#seqs.set(roomId, seq);
    else if (!this.#seqs.has(roomId)) this.#seqs.set(roomId, -1);
    this.#send(this.#joining(roomId));
    return this;
  }

  leave(roomId: string): this {
    this.#seqs.delete(roomId);
    this.#joined.delete(roomId);
    this.#send({ type: "leave", room_id: roomId });
    return this;
  }

  /** The last number of a joined room that was dealt with, to be kept over a restart of the bot. */
  seqOf(roomId: string): number | null {
    const seq = this.#seqs.get(roomId) ?? -1;
    return seq < 0 ? null : seq;
  }

  /**
   * Posts a message. Tried again with the same `client_id` where no answer came: it is there once.
   * @throws SnugError
   */
  async post(roomId: string, content: string): Promise<Message> {
    const body = { content, client_id: crypto.randomUUID() };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.call<Message>("POST", `/api/rooms/${roomId}/messages`, body);
      } catch (error) {
        const mayHelp = !(error instanceof SnugError) || error.code === "unavailable";
        if (!mayHelp || attempt >= 5) throw error;
        await wait(waitMs(attempt));
      }
    }
  }

  /** Answers a message, with the name of who wrote it. @throws SnugError */
  reply(message: Pick<Message, "room_id" | "author">, content: string): Promise<Message> {
    return this.post(message.room_id, `@${message.author.username} ${content}`);
  }

  /** Puts an emoji on a message, or takes it back. @throws SnugError */
  async react(messageId: string, emoji: string): Promise<void> {
    await this.call("POST", `/api/messages/${messageId}/reactions`, { emoji });
  }

  get<T>(path: string): Promise<T> {
    return this.call("GET", path);
  }

  /** Any call of the REST API. @throws SnugError, or what `fetch` throws without a network */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, token } = this.#options;
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body) headers.set("content-type", "application/json");
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    const value = text === "" ? undefined : JSON.parse(text);
    if (!answer.ok) throw new SnugError(value as Problem);
    return value as T;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#again);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  #open(): void {
    const { url, token } = this.#options;
    const headers = { authorization: `Bearer ${token}` };
    // Browsers' WebSockets take no headers; Bun's and Node's do.
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws/chat`, { headers } as never);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as ServerEvent);
    socket.onclose = ({ code, reason }) => this.#lost(code, reason);
    socket.onerror = () => {};
  }

  #hear(event: ServerEvent): void {
    if (event.type === "hello") this.#greeted();
    if (event.type === "joined") {
      this.#joined.add(event.room_id);
      if (this.seqOf(event.room_id) === null) this.#seqs.set(event.room_id, event.seq);
    }
    if (event.type === "resync") this.#seqs.set(event.room_id, -1);
    if (event.type === "error") this.#options.onError?.(new SnugError(event as Answer & Problem));
    if (isOfLog(event) && !this.#isNext(event)) return;
    for (const handler of this.#handlers.get(event.type) ?? []) handler(event as never);
    if (event.type === "resync") this.#send(this.#joining(event.room_id));
  }

  /** A number that was heard is not heard again; where one is missing, the rest is asked for. */
  #isNext(event: RoomEvent): boolean {
    const last = this.seqOf(event.room_id);
    if (!this.#seqs.has(event.room_id)) return true;
    // Heard on the way back into the room: it comes again with all that comes before it.
    if (!this.#joined.has(event.room_id)) return false;
    if (last === null) return true;
    if (event.seq <= last) return false;
    if (event.seq > last + 1) {
      this.#send(this.#joining(event.room_id));
      return false;
    }
    this.#seqs.set(event.room_id, event.seq);
    return true;
  }

  #greeted(): void {
    this.#failures = 0;
    this.#joined.clear();
    clearInterval(this.#ping);
    this.#ping = setInterval(() => this.#send({ type: "ping" }), PING_MS);
    for (const roomId of this.#seqs.keys()) this.#send(this.#joining(roomId));
    this.#ready.resolve();
  }

  #lost(code: number, reason: string): void {
    clearInterval(this.#ping);
    this.#socket = null;
    if (this.#closed) return;
    if (code === CLOSE_SIGNED_OUT) {
      const detail = `The token is no longer good (${reason}).`;
      this.#options.onError?.(new SnugError({ code: "invalid_token", detail }));
      return;
    }
    this.#again = setTimeout(() => this.#open(), waitMs(this.#failures));
    this.#failures += 1;
  }

  #joining(roomId: string): Frame {
    const seq = this.seqOf(roomId);
    return { type: "join", room_id: roomId, ...(seq === null ? {} : { seq }) };
  }

  /** What cannot go out now is sent when the connection is back: joins are, by themselves. */
  #send(frame: Frame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

/** Whether an event has a number in its room's log; `unread` has the number of its message. */
function isOfLog(event: ServerEvent): event is RoomEvent {
  return "seq" in event && event.type !== "joined" && event.type !== "unread";
}

/** Longer each time, and not for all at once. */
function waitMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random());
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
