import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

/** A server on loopback that accepts connections and never says a word. */
export class MuteServer {
  readonly #sockets = new Set<Socket>();
  #wake: () => void = () => {};
  /** How many connections it has accepted. */
  accepted = 0;

  private constructor(readonly server: Server) {
    server.on("connection", (socket) => {
      this.accepted += 1;
      this.#sockets.add(socket);
      // A client that gives up is what a test expects.
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
      socket.resume();
      this.#wake();
    });
  }

  static async open(): Promise<MuteServer> {
    const server = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    return new MuteServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Waits until it has accepted this many connections. */
  async until(count: number): Promise<void> {
    const deadline = performance.now() + 10_000;
    while (this.accepted < count) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${this.accepted} connections, not ${count}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    await promise;
  }
}
