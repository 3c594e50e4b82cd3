import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { eventually } from "./wait.ts";

/** A server on loopback that accepts connections and never says a word. */
export class MuteServer {
  readonly #sockets = new Set<Socket>();
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
  until(count: number): Promise<void> {
    return eventually(() => this.accepted >= count);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    await promise;
  }
}
