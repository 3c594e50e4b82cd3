import { expect } from "bun:test";
import { Client } from "./client.ts";
import type { Idp } from "./idp.ts";
import type { World } from "./world.ts";

/** A browser that signs in with a provider: it follows nobody, and keeps its cookies. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly world: World,
    readonly slug: string,
    session: string | null = null,
  ) {
    if (session) this.#keep(session);
  }

  get #header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(cookie: string): void {
    const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
    this.cookies.set(name, value);
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.#call("GET", path, undefined, headers);
  }

  post(path: string, body: unknown) {
    return this.#call("POST", path, body);
  }

  async #call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const client = new Client(this.world.service.address, this.#header);
    const answer = await client.call(method, path, body, headers);
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    return answer;
  }

  /** Goes to the provider. @returns its address */
  async start(query = ""): Promise<string> {
    const answer = await this.get(`/api/auth/oidc/${this.slug}/start${query}`);
    expect([answer.status, answer.body]).toEqual([302, ""]);
    return answer.headers.get("location") ?? "";
  }

  /** Signs in there as someone, and comes back. */
  async signIn(idp: Idp, person: { sub: string; [claim: string]: unknown }, query = "") {
    return this.get(idp.signIn(await this.start(query), person));
  }

  /** Who is signed in here now. */
  get client(): Client {
    return new Client(this.world.service.address, this.#header);
  }

  async whoAmI(): Promise<string | null> {
    return (await this.client.get("/api/auth/session")).body.user?.username ?? null;
  }
}
