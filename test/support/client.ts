import { expect } from "bun:test";
import type { Code } from "../../src/wire/codes.ts";
import type { User } from "../../src/wire/models.ts";
import { checkAnswer } from "./contract.ts";
import { TestSocket } from "./socket.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
export type Json = any;
export type Answer = { status: number; body: Json; headers: Headers };

/** Someone who calls the service over real HTTP, with a session's cookie, a token or nothing. */
export class Client {
  constructor(
    readonly base: string,
    readonly cookie: string | null = null,
    readonly user: Pick<User, "id" | "username"> = { id: "", username: "" },
    readonly token: string | null = null,
  ) {}

  get #credentials(): Record<string, string> {
    if (this.token) return { authorization: `Bearer ${this.token}` };
    return this.cookie ? { cookie: this.cookie } : {};
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isJsonBody = body !== undefined && !(body instanceof FormData);
    const response = await fetch(this.base + path, {
      method,
      redirect: "manual",
      headers: {
        ...(isJsonBody ? { "content-type": "application/json" } : {}),
        ...this.#credentials,
        ...headers,
      },
      body: isJsonBody && typeof body !== "string" ? JSON.stringify(body) : (body as BodyInit),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const answered = isJson && text ? JSON.parse(text) : text;
    checkAnswer(method, path, response.status, answered);
    return { status: response.status, body: answered, headers: response.headers };
  }

  get = (path: string) => this.call("GET", path);
  post = (path: string, body?: unknown) => this.call("POST", path, body);
  patch = (path: string, body: unknown) => this.call("PATCH", path, body);
  put = (path: string, body: unknown) => this.call("PUT", path, body);
  delete = (path: string) => this.call("DELETE", path);

  /** Uploads a file as a browser does. */
  upload(path: string, bytes: Uint8Array, name = "a file", type = ""): Promise<Answer> {
    return this.call("POST", path, formOf(bytes, name, type));
  }

  /** Posts a message and expects it to be taken. */
  async say(roomId: string, content: string, more: object = {}): Promise<Json> {
    const answer = await this.post(`/api/rooms/${roomId}/messages`, { content, ...more });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  }

  /** Opens a socket and waits for its `hello`. */
  async socket(headers: Record<string, string> = {}): Promise<TestSocket> {
    const socket = this.openSocket(headers);
    await socket.next("hello");
    return socket;
  }

  /** Opens a socket and does not wait. */
  openSocket(headers: Record<string, string> = {}): TestSocket {
    return new TestSocket(this.base, {
      ...this.#credentials,
      ...(this.cookie ? { origin: this.base } : {}),
      ...headers,
    });
  }
}

/** Expects a problem document with this code and its headers. */
export function expectProblem(answer: Answer, status: number, code: Code): void {
  // A copy: the matcher puts its own things into what it is given.
  expect({ status: answer.status, body: { ...answer.body } }).toMatchObject({
    status,
    body: { code, status, type: "about:blank", detail: expect.any(String) },
  });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
}

/** A form with the one part `file`. */
export function formOf(bytes: Uint8Array, name: string, type = ""): FormData {
  const form = new FormData();
  form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name);
  return form;
}
