import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Frame } from "../../../src/wire/frames.ts";
import { CLOSE_RESTART, CLOSE_SIGNED_OUT } from "../../../src/wire/limits.ts";
import type { Clock } from "./clock.ts";

export type ConnectionStatus = "idle" | "connecting" | "open" | "waiting" | "signed-out";

export type ConnectionDeps = {
  open(): WebSocket;
  clock: Clock;
  random(): number;
  onStatus(status: ConnectionStatus): void;
  /** `hello` included: it says that the service listens. */
  onEvent(event: ServerEvent): void;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** Short: another instance may be there already. No failure, so the next wait is the first. */
const RESTART_WAIT_MS = 200;
const PING_MS = 25_000;
const PONG_MS = 10_000;

/**
 * One socket that comes back: it waits longer after each failure, with jitter so that not everyone
 * comes back at once, and notices by pings when the other end is gone without a word.
 */
export class Connection {
  #socket: WebSocket | null = null;
  #failures = 0;
  #cancel: () => void = () => {};
  status: ConnectionStatus = "idle";

  constructor(private readonly deps: ConnectionDeps) {}

  start(): void {
    if (this.#socket === null) this.#connect();
  }

  stop(): void {
    this.#drop();
    this.#set("idle");
  }

  /** Tries at once: the network has changed, or the page is looked at again. */
  hurry(): void {
    if (this.status === "waiting") this.#connect();
    else if (this.status === "open") this.#ping();
  }

  /** @returns false if it could not go out */
  send(frame: Frame): boolean {
    if (this.status !== "open" || !this.#socket) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #connect(): void {
    this.#drop();
    this.#set("connecting");
    const socket = this.deps.open();
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(data)) as ServerEvent);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    };
  }

  #hear(event: ServerEvent): void {
    this.#cancel();
    this.#cancel = this.deps.clock.after(PING_MS, () => this.#ping());
    if (event.type === "pong") return;
    if (event.type === "hello") {
      this.#failures = 0;
      this.#set("open");
    }
    this.deps.onEvent(event);
  }

  #ping(): void {
    this.send({ type: "ping" });
    this.#cancel();
    this.#cancel = this.deps.clock.after(PONG_MS, () => this.#lost(1006));
  }

  #lost(code: number): void {
    this.#drop();
    if (code === CLOSE_SIGNED_OUT) {
      this.#set("signed-out");
      return;
    }
    const isRestart = code === CLOSE_RESTART;
    const longer = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    const base = isRestart ? RESTART_WAIT_MS : longer;
    if (!isRestart) this.#failures += 1;
    this.#set("waiting");
    this.#cancel = this.deps.clock.after(base * (0.5 + this.deps.random()), () => this.#connect());
  }

  #drop(): void {
    this.#cancel();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #set(status: ConnectionStatus): void {
    if (status === this.status) return;
    this.status = status;
    this.deps.onStatus(status);
  }
}
