import type { ServerEvent } from "../wire/events.ts";
import type { Frame } from "../wire/frames.ts";
import { CLOSE_RESTART, CLOSE_SIGNED_OUT } from "../wire/limits.ts";

export type ConnectionStatus = "idle" | "connecting" | "open" | "waiting" | "signed-out";

export type ConnectionDeps = {
  open(): WebSocket;
  clock: Clock;
  random(): number;
  /** @param reason why the service closed the socket, in English; "" if it gave no reason */
  onStatus(status: ConnectionStatus, reason: string): void;
  /** Also called for `hello`. */
  onEvent(event: ServerEvent): void;
};

/** A timer that tests can replace, so that they need not wait. */
export type Clock = {
  /** @returns a function that cancels the timer */
  after(ms: number, run: () => void): () => void;
};

export const timer: Clock = {
  after(ms, run) {
    const timeout = setTimeout(run, ms);
    return () => clearTimeout(timeout);
  },
};

/** The first delay in milliseconds, before jitter. It doubles up to `MAX_BACKOFF_MS`. */
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 20_000;
/** Short, because another instance may already be running. A restart does not count as a failure. */
const RESTART_BACKOFF_MS = 200;
const PING_MS = 25_000;
const PONG_TIMEOUT_MS = 10_000;

/**
 * A WebSocket that reconnects, for the web client and for bots. Backs off exponentially after failures,
 * with jitter so that clients do not all return at once, and detects a dead connection with pings.
 */
export class Connection {
  #socket: WebSocket | null = null;
  #failures = 0;
  #cancelTimer: () => void = () => {};
  status: ConnectionStatus = "idle";

  constructor(private readonly deps: ConnectionDeps) {}

  start(): void {
    if (this.#socket === null) this.#connect();
  }

  stop(): void {
    this.#drop();
    this.#setStatus("idle");
  }

  /** Reconnects or pings immediately, because the network has changed or the page has become visible. */
  reconnectNow(): void {
    if (this.status === "waiting") this.#connect();
    else if (this.status === "open") this.#ping();
  }

  /** @returns false if the frame was not sent because there is no connection */
  send(frame: Frame): boolean {
    if (this.status !== "open" || !this.#socket) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #connect(): void {
    this.#drop();
    this.#setStatus("connecting");
    const socket = this.deps.open();
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#onEvent(JSON.parse(String(data)) as ServerEvent);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#onClose(code, reason);
    };
  }

  #onEvent(event: ServerEvent): void {
    this.#cancelTimer();
    this.#cancelTimer = this.deps.clock.after(PING_MS, () => this.#ping());
    if (event.type === "pong") return;
    const isHello = event.type === "hello";
    if (isHello) {
      this.#failures = 0;
      this.status = "open";
    }
    this.deps.onEvent(event);
    // Only now, since `hello` may name another user, for whom the socket is closed again.
    if (isHello && this.status === "open") this.deps.onStatus("open", "");
  }

  #ping(): void {
    this.send({ type: "ping" });
    this.#cancelTimer();
    this.#cancelTimer = this.deps.clock.after(PONG_TIMEOUT_MS, () => this.#onClose(1006, ""));
  }

  #onClose(code: number, reason: string): void {
    this.#drop();
    if (code === CLOSE_SIGNED_OUT) {
      this.#setStatus("signed-out", reason);
      return;
    }
    const isRestart = code === CLOSE_RESTART;
    const backoff = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.#failures);
    const base = isRestart ? RESTART_BACKOFF_MS : backoff;
    if (!isRestart) this.#failures += 1;
    this.#setStatus("waiting", reason);
    const wait = base * (0.5 + this.deps.random());
    this.#cancelTimer = this.deps.clock.after(wait, () => this.#connect());
  }

  #drop(): void {
    this.#cancelTimer();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #setStatus(status: ConnectionStatus, reason = ""): void {
    if (status === this.status) return;
    this.status = status;
    this.deps.onStatus(status, reason);
  }
}
