import type { Me } from "../../wire/models.ts";

/** A person in the demo who uses the service over HTTP. */
export class Visitor {
  #cookie = "";
  userId = "";

  constructor(readonly base: string) {}

  async signIn(username: string, password: string): Promise<void> {
    const { id } = await this.call<Me>("POST", "/api/auth/login", { username, password });
    this.userId = id;
  }

  /** Uploads bytes as the form field `file`. */
  upload<T = unknown>(method: string, path: string, bytes: Buffer, name: string): Promise<T> {
    const form = new FormData();
    form.set("file", new File([new Uint8Array(bytes)], name));
    return this.call(method, path, form);
  }

  async call<T = unknown>(method: string, path: string, body: object): Promise<T> {
    const isForm = body instanceof FormData;
    const headers = new Headers(this.#cookie ? { cookie: this.#cookie } : {});
    if (!isForm) headers.set("content-type", "application/json");
    const url = `${this.base}${path}`;
    const answer = await fetch(url, {
      method,
      headers,
      body: isForm ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0];
    if (cookie) this.#cookie = cookie;
    return (text === "" ? null : JSON.parse(text)) as T;
  }
}
