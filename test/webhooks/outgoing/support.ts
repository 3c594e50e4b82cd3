import { expect } from "bun:test";
import { enqueueJob } from "../../../src/jobs-queue/enqueue.ts";
import type { OutgoingWebhookWithSecret, WebhookDelivery } from "../../../src/wire/webhooks.ts";
import { WEBHOOK_EVENTS } from "../../../src/wire/webhook-events.ts";
import type { Client } from "../../support/client.ts";
import { Receiver } from "../../support/receiver.ts";
import { World } from "../../support/world.ts";

/** A world that may call loopback, a receiver there, and a room with an owner and a member. */
export class Post {
  private constructor(
    readonly world: World,
    readonly receiver: Receiver,
    readonly ada: Client,
    readonly bob: Client,
  ) {}

  static async open(): Promise<Post> {
    const world = await World.start({ EGRESS_ALLOW: "127.0.0.1" });
    const [ada, bob] = [await world.person("ada"), await world.person("bob")];
    return new Post(world, new Receiver(), ada, bob);
  }

  #rooms = 0;
  /** A room of Ada's with Bob in it, and a webhook to a path of its own at the receiver. */
  async room(events: readonly string[] = WEBHOOK_EVENTS): Promise<Line> {
    const n = this.#rooms++;
    const roomId = await this.world.room(`room-${n}`, this.ada, [this.bob]);
    const path = `/hook-${n}`;
    const base = `/api/rooms/${roomId}/outgoing-webhooks`;
    const values = { name: "CI", url: this.receiver.at(path), events };
    const response = await this.ada.post(base, values);
    expect(response.status).toBe(201);
    return new Line(this, roomId, path, base, response.body);
  }

  async close(): Promise<void> {
    await this.world?.stop();
    await this.receiver?.stop();
  }
}

/** One room's webhook. */
export class Line {
  constructor(
    readonly post: Post,
    readonly roomId: string,
    readonly path: string,
    readonly base: string,
    readonly hook: OutgoingWebhookWithSecret,
  ) {}

  get at(): string {
    return `${this.base}/${this.hook.id}`;
  }

  until = (count: number) => this.post.receiver.until(this.path, count);
  say = (text: string) => this.post.bob.say(this.roomId, text);

  async read() {
    const { body } = await this.post.ada.get(this.base);
    return body.items[0];
  }

  /** The newest first. */
  async deliveries(): Promise<WebhookDelivery[]> {
    const { status, body } = await this.post.ada.get(`${this.at}/deliveries`);
    expect(status).toBe(200);
    return body.items;
  }

  /** Waits until the newest delivery meets a condition. */
  async newest(holds: (delivery: WebhookDelivery) => boolean): Promise<WebhookDelivery> {
    const deadline = performance.now() + 15_000;
    for (;;) {
      const [newest] = await this.deliveries();
      if (newest && holds(newest)) return newest;
      if (performance.now() > deadline) throw new Error(`the newest is ${JSON.stringify(newest)}`);
      await Bun.sleep(5);
    }
  }

  /** Makes pending deliveries due now. */
  async hurry(): Promise<void> {
    const { database } = this.post.world;
    await database.sql`update webhook_deliveries
      set next_at = date_trunc('milliseconds', clock_timestamp())
      where hook_id = ${this.hook.id} and state = 'pending'`;
    const payload = { hookId: this.hook.id };
    await enqueueJob(database.db, { kind: "webhook_events", payload, key: `hook:${this.hook.id}` });
  }
}
