import type { Frame } from "../../src/wire/frames.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads events of every shape
type Event = any;
type Match = string | ((event: Event) => boolean);

const PATIENCE_MS = 10_000;

/** A real WebSocket client that keeps what it hears, so that a test can wait for it in any order. */
export class TestSocket {
  readonly #socket: WebSocket;
  /** Everything that was heard, in order. */
  readonly heard: Event[] = [];
  #unread: Event[] = [];
  #waiting: (() => void)[] = [];
  /** Set when the socket is closed. */
  closed: { code: number; reason: string } | null = null;

  constructor(base: string, headers: Record<string, string>) {
    const url = `${base.replace(/^http/, "ws")}/ws/chat`;
    this.#socket = new WebSocket(url, { headers } as unknown as string[]);
    this.#socket.onopen = () => this.#wake();
    this.#socket.onmessage = ({ data }) => {
      const event = JSON.parse(String(data));
      this.heard.push(event);
      this.#unread.push(event);
      this.#wake();
    };
    this.#socket.onclose = ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    };
  }

  send(frame: Frame | Record<string, unknown>): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  /** Waits until it is open, which is before `hello`. */
  async opening(): Promise<void> {
    const isOpen = () => this.#socket.readyState === WebSocket.OPEN || undefined;
    await this.#until(isOpen, "the socket does not open");
  }

  /** Bytes that the service has not read, beyond what the kernels hold. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** The next event that matches and was not taken before; fails after ten seconds. */
  async next(match: Match): Promise<Event> {
    const matches = typeof match === "string" ? (event: Event) => event.type === match : match;
    return this.#until(
      () => {
        const index = this.#unread.findIndex(matches);
        return index === -1 ? undefined : this.#unread.splice(index, 1)[0];
      },
      `no event ${match}; heard ${JSON.stringify(this.heard.slice(-100).map((event) => event.type))}`,
    );
  }

  /** Waits for the close and tells its code. */
  async closing(): Promise<{ code: number; reason: string }> {
    return this.#until(() => this.closed ?? undefined, "the socket stays open", true);
  }

  /** Joins a room and waits until it is joined. */
  async join(roomId: string, seq?: number): Promise<number> {
    this.send({ type: "join", room_id: roomId, ...(seq === undefined ? {} : { seq }) });
    const joined = await this.next((event) => event.type === "joined" && event.room_id === roomId);
    return joined.seq;
  }

  /** Everything heard until an answer to a `ping`: what was sent before it has been handled. */
  async drain(): Promise<Event[]> {
    this.send({ type: "ping" });
    await this.next("pong");
    return this.#unread.splice(0);
  }

  close(): void {
    this.#socket.close();
  }

  async #until<T>(look: () => T | undefined, failure: string, evenClosed = false): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const event = look();
      if (event !== undefined) return event;
      if (this.closed && !evenClosed) throw new Error(`closed ${this.closed.code}: ${failure}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(failure);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
