import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "bun:test";
import { JOBS_CHANNEL } from "../../src/jobs-queue/enqueue.ts";
import type { PushPayload } from "../../src/wire/push.ts";
import type { Client } from "../support/client.ts";
import type { World } from "../support/world.ts";
import { type BrowserKeys, decrypt, makeBrowserKeys } from "./decrypt.ts";
import { eventually } from "../support/wait.ts";

const tls = (name: string) => readFileSync(join(import.meta.dir, "tls", name), "utf8");
const CERT = tls("localhost.pem");
/** What trusts the push service, and only under its name. */
export const OUTSIDE = { ca: CERT };
export const SETTINGS = { EGRESS_ALLOW: "localhost" };

export type Received = { path: string; headers: Headers; body: Uint8Array<ArrayBuffer> };

/** A push service on loopback, over https. */
export class PushService {
  readonly received: Received[] = [];
  /** What it answers; 201 by default. */
  answer: (request: Received) => Response | Promise<Response> = () => created();
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key: tls("localhost.key.pem"), cert: CERT },
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const { headers } = request;
      const taken = { path: pathname, headers, body: await request.bytes() };
      this.received.push(taken);
      return this.answer(taken);
    },
  });

  get origin(): string {
    return `https://localhost:${this.#server.port}`;
  }

  /** Clears what it has received, and answers 201 again. */
  reset(): void {
    this.received.length = 0;
    this.answer = () => created();
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }
}

export const created = () => new Response(null, { status: 201 });

/** A browser with a subscription of its own. */
export class TestBrowser {
  private constructor(
    readonly service: PushService,
    readonly keys: BrowserKeys,
    readonly endpoint: string,
  ) {}

  static async open(service: PushService): Promise<TestBrowser> {
    const endpoint = `${service.origin}/push/${crypto.randomUUID()}`;
    return new TestBrowser(service, await makeBrowserKeys(), endpoint);
  }

  /** The shape of `PushSubscription.toJSON()`. */
  get subscription() {
    const base64url = (bytes: Uint8Array) =>
      bytes.toBase64({ alphabet: "base64url", omitPadding: true });
    return {
      endpoint: this.endpoint,
      expirationTime: null,
      keys: { p256dh: base64url(this.keys.publicKey), auth: base64url(this.keys.auth) },
    };
  }

  get requests(): Received[] {
    return this.service.received.filter(({ path }) => this.endpoint.endsWith(path));
  }

  /** Everything that was pushed to it, decrypted. */
  async payloads(): Promise<PushPayload[]> {
    const texts = this.requests.map(({ body }) => decrypt(this.keys, body));
    return (await Promise.all(texts)).map((text) => JSON.parse(text));
  }

  async bodies(): Promise<string[]> {
    return (await this.payloads()).map((payload) => payload.body);
  }
}

/** A subscribed browser of this person. */
export async function subscribed(service: PushService, client: Client): Promise<TestBrowser> {
  const browser = await TestBrowser.open(service);
  const answer = await client.post("/api/push/subscriptions", browser.subscription);
  expect(answer).toMatchObject({ status: 201 });
  return browser;
}

/** Makes waiting jobs of these kinds due now, and waits until they have run. */
export async function runPushes(world: World, ...kinds: string[]): Promise<void> {
  const { sql } = world.database;
  await sql`
    with due as (
      update jobs set run_at = clock_timestamp() - interval '1 second'
      where kind = any(${kinds}::text[]) and locked_by is null and failed_at is null returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from (select count(*) from due) d`;
  await eventually(async () => {
    const [row] = await sql<{ busy: boolean }[]>`select exists (
      select from jobs where kind = any(${kinds}::text[])
        and (locked_by is not null or run_at < clock_timestamp())) as busy`;
    return row?.busy === false;
  });
}

/** Waits until a message's push is queued. */
export async function queued(world: World, messageId: string): Promise<void> {
  const { sql } = world.database;
  await eventually(async () => (await sql`select from jobs where id = ${messageId}`).length > 0);
}

/** Posts, waits until the push is queued, applies a change, and lets it run. */
export async function sayAndPush(
  world: World,
  author: Client,
  roomId: string,
  content:
    string | { image_id: string } | { file_id: string } | { content: string; thread_id: string },
  meanwhile: (messageId: string) => unknown = () => {},
): Promise<string> {
  const body = typeof content === "string" ? { content: content } : content;
  const { id } = (await author.post(`/api/rooms/${roomId}/messages`, body)).body;
  await queued(world, id);
  await meanwhile(id);
  await runPushes(world, "push");
  return id;
}
