import type { Me } from "../../wire/models.ts";

/** A person in the demo who uses the service over HTTP. */
export class Visitor {
  #cookie = "";
  /** The user's id, once signed in. */
  userId = "";

  /** @param base the service's URL */
  constructor(readonly base: string) {}

  async signIn(username: string, password: string): Promise<void> {
    const { id } = await this.post<Me>("/api/auth/login", { username, password });
    this.userId = id;
  }

  post<T = unknown>(path: string, body: object = {}): Promise<T> {
    return this.#call("POST", path, JSON.stringify(body), "application/json");
  }

  patch<T = unknown>(path: string, body: object): Promise<T> {
    return this.#call("PATCH", path, JSON.stringify(body), "application/json");
  }

  put<T = unknown>(path: string, body: object): Promise<T> {
    return this.#call("PUT", path, JSON.stringify(body), "application/json");
  }

  /** Uploads bytes as the form field `file`. */
  upload<T = unknown>(method: string, path: string, bytes: Buffer, name: string): Promise<T> {
    const form = new FormData();
    form.set("file", new File([new Uint8Array(bytes)], name));
    return this.#call(method, path, form);
  }

  async #call<T>(method: string, path: string, body: BodyInit, type?: string): Promise<T> {
    const headers = new Headers(this.#cookie ? { cookie: this.#cookie } : {});
    if (type) headers.set("content-type", type);
    const answer = await fetch(`${this.base}${path}`, { method, headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0];
    if (cookie) this.#cookie = cookie;
    return (text === "" ? null : JSON.parse(text)) as T;
  }
}
