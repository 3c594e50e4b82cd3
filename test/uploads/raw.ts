import { connect, type Socket } from "node:net";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";

const BOUNDARY = "snug-test";
export const HEAD = (filename: string, type = "text/plain") =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; ${filename}\r\n` +
  `Content-Type: ${type}\r\n\r\n`;
export const TAIL = `\r\n--${BOUNDARY}--\r\n`;

/** A whole body with one part, as bytes on the wire: what no well-behaved client would make of it. */
export function bodyOf(filename: string, content: string, type?: string): string {
  return HEAD(filename, type) + content + TAIL;
}

/** An upload that is written by hand, so that it can stop in the middle. */
export class RawUpload {
  readonly #socket: Socket;
  #heard = "";

  constructor(client: Client, path: string, length: number | "chunked") {
    const { hostname, port, host } = new URL(client.base);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on("error", () => {});
    this.#socket.on("data", (data) => {
      this.#heard += data;
    });
    const framing =
      length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${client.cookie}\r\n${framing}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`,
    );
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  writeChunk(text: string): void {
    this.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  }

  /** The answer, whether or not all was sent. */
  async answer(): Promise<{ status: number; body: Record<string, unknown> }> {
    await eventually(() => this.#isWhole() || this.#socket.closed, 60_000);
    if (!this.#isWhole()) throw new Error(`The connection ended: ${this.#heard}`);
    this.break();
    const [head = "", body = ""] = this.#heard.split("\r\n\r\n");
    return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
  }

  #isWhole(): boolean {
    const [head = "", body] = this.#heard.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    return body !== undefined && Buffer.byteLength(body) >= length;
  }

  /** Cuts the connection, as a lost network does. */
  break(): void {
    this.#socket.destroy();
  }
}
