import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { prunePreviews } from "../../jobs/prune.ts";
import { appendEvent } from "../../src/feed/append.ts";
import { enqueueJob } from "../../src/jobs-queue/enqueue.ts";
import type { Runner } from "../../src/jobs-queue/runner.ts";
import { readEvents } from "../../src/messages/events.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { openStore } from "../../src/platform/storage/open.ts";
import type { Storage } from "../../src/platform/storage/storage.ts";
import { updatePreview, type PreviewDeps } from "../../src/previews/update-preview.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { Queue } from "../jobs/support.ts";
import { Web } from "../support/web.ts";

const ever = new AbortController().signal;

/** A storage that can be away. */
class Fickle implements Storage {
  isAway = false;

  constructor(readonly storage: Storage) {}

  async put(key: string, path: string): Promise<void> {
    if (this.isAway) throw new Error("the storage is away");
    await this.storage.put(key, path);
  }

  open = (key: string) => this.storage.open(key);
  exists = (key: string) => this.storage.exists(key);
  remove = (key: string) => this.storage.remove(key);
}

type Row = {
  title: string | null;
  is_image: boolean;
  has_failed: boolean;
  picture: string | null;
  /** Hours until it expires. */
  hours: number;
};

/** A room with its owner, a web on loopback, and what brings previews. */
export class Bench {
  readonly storage: Fickle;
  readonly deps: PreviewDeps;

  private constructor(
    readonly queue: Queue,
    readonly web: Web,
    readonly owner: string,
    readonly room: string,
    readonly folder: string,
  ) {
    const { storage, incoming } = openStore({ dataDir: folder, s3: null });
    this.storage = new Fickle(storage);
    const egress = createEgress({ allow: parseEgressAllow(`127.0.0.1:${web.port}`) });
    this.deps = { database: queue.database, egress, store: { storage: this.storage, incoming } };
  }

  static async open(): Promise<Bench> {
    const queue = await Queue.open();
    const owner = Bun.randomUUIDv7();
    await queue.sql`insert into users (id, username, email)
      values (${owner}, 'owner', 'owner@example.org')`;
    const room = await createRoom(queue.database.db, owner, { name: "room", privacy: "open" });
    const folder = await mkdtemp(join(tmpdir(), "snug-previews-"));
    return new Bench(queue, await Web.open(), owner, room, folder);
  }

  get sql() {
    return this.queue.sql;
  }

  /** A message with this URL, as the write path leaves it. @returns its id */
  async message(url: string, hasEmbeds = false, room = this.room): Promise<string> {
    const id = Bun.randomUUIDv7();
    await this.queue.database.db.transaction(async (tx) => {
      const seq = await appendEvent(tx, room, { type: "message", messageId: id });
      await this.sql`insert into messages
        (id, room_id, seq, author_id, content, preview_url, has_embeds, created_at) values
        (${id}, ${room}, ${seq}, ${this.owner}, ${url}, ${url}, ${hasEmbeds}, now())`;
    });
    return id;
  }

  async edit(messageId: string, url: string | null): Promise<void> {
    await this.sql`update messages set preview_url = ${url} where id = ${messageId}`;
  }

  bring(url: string, messageId: string, signal = ever): Promise<void> {
    return updatePreview(this.deps, { url, messageId }, signal);
  }

  /** A message with this URL, and its job done once. */
  async post(url: string): Promise<string> {
    const id = await this.message(url);
    await this.bring(url, id);
    return id;
  }

  prune(): Promise<void> {
    return prunePreviews(this.sql, ever);
  }

  /** A runner of link previews, as a process has one. */
  runner(): Promise<Runner> {
    return this.queue.runner({
      link_preview: (payload, { signal }) => updatePreview(this.deps, payload, signal),
    });
  }

  enqueue(url: string, messageId: string): Promise<boolean> {
    const payload = { url, messageId };
    return enqueueJob(this.queue.database.db, { kind: "link_preview", payload });
  }

  /** How many times the room received a message's preview. */
  async told(messageId: string): Promise<number> {
    const events = await readEvents(this.queue.database, [{ roomId: this.room, after: 0 }], 1_000);
    return events.filter((e) => e.type === "link_preview" && e.message_id === messageId).length;
  }

  async hasEmbeds(messageId: string): Promise<boolean> {
    const [row] = await this.sql<{ has_embeds: boolean }[]>`
      select has_embeds from messages where id = ${messageId}`;
    return row?.has_embeds === true;
  }

  /** What is kept of a URL. */
  async row(url: string): Promise<Row | undefined> {
    const [row] = await this.sql<Row[]>`
      select title, is_image, has_failed, encode(image_sha256, 'hex') as picture,
        extract(epoch from expires_at - clock_timestamp())::float8 / 3600 as hours
      from link_previews where url = ${url}
        and url_hash = sha256(convert_to(${url}, 'UTF8'))`;
    return row;
  }

  async expire(url: string): Promise<void> {
    await this.sql`update link_previews
      set expires_at = clock_timestamp() - interval '1 minute' where url = ${url}`;
  }

  /** A page with this title, and a picture of this colour if one is named. */
  async page(path: string, title: string, colour?: string): Promise<string> {
    const image = colour ? `<meta property="og:image" content="/${colour}.png">` : "";
    this.web.put(path, `<title>${title}</title>${image}`);
    if (colour) {
      const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: colour } });
      this.web.put(`/${colour}.png`, await picture.png().toBuffer());
    }
    return this.web.at(path);
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.web.close();
    await rm(this.folder, { recursive: true });
  }
}
