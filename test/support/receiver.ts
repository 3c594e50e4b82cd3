import type { Server } from "bun";
import type { Json } from "./client.ts";

export type Received = {
  path: string;
  id: string;
  headers: Record<string, string>;
  /** To the byte. */
  text: string;
  body: Json;
};

type Answer = (received: Received) => Response | Promise<Response>;
const PATIENCE_MS = 20_000;

/** A server on loopback that plays the receiver of webhooks, and keeps what it gets in order. */
export class Receiver {
  readonly received: Received[] = [];
  /** What it answers; 200 until a test says otherwise. */
  answer: Answer = () => new Response("ok");
  readonly #server: Server<undefined>;
  readonly #waiting = new Set<() => void>();

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      // A test that lets somebody wait must not be cut off.
      idleTimeout: 0,
      fetch: async (request) => {
        const text = await request.text();
        // The sender has stopped before its body, so nothing was delivered.
        if (text === "") return new Response(null, { status: 400 });
        const headers = Object.fromEntries(request.headers);
        const { pathname: path } = new URL(request.url);
        const id = headers["webhook-id"] ?? "";
        const received = { path, id, headers, text, body: JSON.parse(text) };
        this.received.push(received);
        for (const wake of this.#waiting) wake();
        this.#waiting.clear();
        return this.answer(received);
      },
    });
  }

  at(path = "/"): string {
    return `http://127.0.0.1:${this.#server.port}${path}`;
  }

  /** What came to one path. */
  to(path: string): Received[] {
    return this.received.filter((item) => item.path === path);
  }

  /** Waits until a path has got so many, and returns them. */
  async until(path: string, count: number): Promise<Received[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const requests = this.to(path);
      if (requests.length >= count) return requests;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`${path} got ${requests.length}, not ${count}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }
}
