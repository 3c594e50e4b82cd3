import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { eventually } from "./wait.ts";

export type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that plays the web: real HTTP, with a page for each path. */
export class Web {
  readonly #pages = new Map<string, Page>();
  /** `<method> <path>` of all that was asked, in order. */
  readonly asked: string[] = [];
  /** The last request's, by path. */
  readonly headers = new Map<string, IncomingMessage["headers"]>();

  private constructor(readonly server: Server) {
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? "";
      this.asked.push(`${request.method} ${path}`);
      this.headers.set(path, request.headers);
      const page = this.#pages.get(path.split("?")[0] ?? "");
      if (page) page(request, response);
      else response.writeHead(404).end();
    });
  }

  /** @param tls to speak https with this key and certificate */
  static async open(tls?: { key: string; cert: string }): Promise<Web> {
    const server = tls ? createSecureServer(tls) : createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    return new Web(server as Server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The address of a path, at this host name or address. */
  at(path: string, host = "127.0.0.1", scheme = "http"): string {
    return `${scheme}://${host}:${this.port}${path}`;
  }

  page(path: string, page: Page): void {
    this.#pages.set(path, page);
  }

  /** A page that answers with this body. */
  put(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): void {
    this.page(path, (_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
      response.end(body);
    });
  }

  redirect(path: string, to: string, status = 302): void {
    this.page(path, (_, response) => void response.writeHead(status, { location: to }).end());
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.asked.filter((line) => line.endsWith(` ${path}`)).length;
  }

  /** Waits until a path has been asked for so many times. */
  async untilAsked(path: string, times = 1): Promise<void> {
    await eventually(() => this.count(path) >= times);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.server.closeAllConnections();
    await promise;
  }
}
