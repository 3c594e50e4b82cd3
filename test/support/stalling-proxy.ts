import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directOf, type Target } from "../../src/database/target.ts";

/** A way to PostgreSQL that can go dead without a word: connections stay open and pass nothing on. */
export class StallingProxy {
  /** Connections through it. */
  links: { isStalled: boolean; listens: boolean; sockets: Socket[] }[] = [];
  #isDeaf = false;
  #isDead = false;
  /** Where PostgreSQL is found through it. */
  readonly target: Target & object;
  readonly #folder = mkdtempSync(join(tmpdir(), "snug-proxy-"));
  readonly #server: Server;

  constructor(target: Target & object) {
    const { host, port } = directOf(target) as { host: string; port: number };
    const socket = `.s.PGSQL.${String(port)}`;
    this.target = { ...target, host: this.#folder } as Target & object;
    this.#server = createServer((near) => this.#pass(near, join(String(host), socket)));
    this.#server.listen(join(this.#folder, socket));
  }

  /** Stalls the connections that there are; later ones pass. */
  stall(): void {
    for (const link of this.links) link.isStalled = true;
  }

  /** Stalls the connections that there are, and later ones. */
  stallForGood(): void {
    this.#isDead = true;
    this.stall();
  }

  /** Stalls the connections that LISTEN, later ones too; what they listen for is not heard. */
  stallListening(): void {
    this.#isDeaf = true;
    for (const link of this.links) link.isStalled ||= link.listens;
  }

  /** Closes the connections that there are. */
  cut(): void {
    for (const { sockets } of this.links) for (const socket of sockets) socket.destroy();
  }

  forget(): void {
    this.links = [];
  }

  close(): void {
    this.cut();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #pass(near: Socket, path: string): void {
    const far = createConnection(path);
    const link = { isStalled: this.#isDead, listens: false, sockets: [near, far] };
    this.links.push(link);
    near.on("data", (data) => {
      link.listens ||= data.includes("listen ");
      link.isStalled ||= link.listens && this.#isDeaf;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (data) => !link.isStalled && to.write(data));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  }
}
