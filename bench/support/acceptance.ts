import type { Bed, Person } from "./bed.ts";
import { openSockets } from "./sockets.ts";
import { Latencies } from "./stats.ts";

/** This many, because one person's socket may send 20 frames a second. */
const PEOPLE = 1_500;
/** Of bots, whose sockets may send as fast as they are answered. */
const BUSY_ROOMS = 10;
const BOTS_OF_A_ROOM = 10;
const ACK = '{"type":"ack","client_id":"';
export const TEXT = "The slow part was never the query, it was the connection.";

/** Who writes, and to which room: each their own, so that this measures accepting, not delivering. */
export class Acceptance {
  readonly #waiting = new Map<string, () => void>();
  #sockets: WebSocket[] = [];
  #turn = 0;
  /** A message of each room, to reply to; none while it writes messages of their own. */
  #roots: string[] = [];
  heard = 0;

  private constructor(
    readonly people: Person[],
    readonly rooms: string[],
  ) {}

  /**
   * @param listenAddress where a second socket of each has the room open; none if it is left out
   */
  static async open(bed: Bed, address: string, listenAddress?: string): Promise<Acceptance> {
    const people = await bed.people(PEOPLE);
    const all = new Acceptance(people, await bed.rooms(people.map((person) => [person])));
    all.#sockets = await openSockets(address, people, () => (text) => all.#hear(text));
    if (listenAddress) await all.#listen(listenAddress);
    return all;
  }

  /** Each writes to one other person who is away: in a room of the two, or in a conversation. */
  static async withPartners(
    bed: Bed,
    address: string,
    kind: "rooms" | "conversations",
  ): Promise<Acceptance> {
    const people = await bed.people(PEOPLE);
    const partners = await bed.people(PEOPLE);
    const pairs = people.map((person, i) => [person, partners[i] as Person]);
    const all = new Acceptance(people, await bed[kind](pairs));
    all.#sockets = await openSockets(address, people, () => (text) => all.#hear(text));
    return all;
  }

  /**
   * Ten rooms of ten bots, each of whom hears of every message of the room.
   * @param address of the instance that each connects to
   */
  static async inBusyRooms(
    bed: Bed,
    address: string | ((index: number) => string),
  ): Promise<Acceptance> {
    const bots = await bed.bots(BUSY_ROOMS * BOTS_OF_A_ROOM);
    const groups = Array.from({ length: BUSY_ROOMS }, (_, room) =>
      bots.filter((_, i) => i % BUSY_ROOMS === room),
    );
    const rooms = await bed.rooms(groups);
    const all = new Acceptance(
      bots,
      bots.map((_, i) => rooms[i % BUSY_ROOMS] as string),
    );
    all.#sockets = await openSockets(address, bots, () => (text) => all.#hear(text));
    return all;
  }

  /** From now on each writer replies in a thread of the room, which has a reply and follows it. */
  async beginThreads({ sql }: Bed["database"]): Promise<void> {
    const authors = new Map(this.rooms.map((roomId, i) => [roomId, this.people[i]?.id]));
    const roots = new Map(this.rooms.map((roomId) => [roomId, Bun.randomUUIDv7()]));
    await sql`with taken as (
        update rooms set last_seq = last_seq + 1 where id = any(${[...roots.keys()]}::uuid[])
        returning id, last_seq
      ), root as materialized (
        select root.*, taken.last_seq from unnest(
          ${[...roots.values()]}::uuid[], ${[...roots.keys()]}::uuid[],
          ${[...authors.values()] as string[]}::uuid[]
        ) as root(id, room_id, author_id) join taken on taken.id = root.room_id
      ), begun as (
        insert into threads
          (message_id, room_id, reply_count, last_reply_seq, last_reply_at, last_author_ids)
        select id, room_id, 1, last_seq, now(), array[author_id] from root
      ), logged as (
        -- Without an entry the feed would read the room's log again for each reply.
        insert into room_log (room_id, seq, type, message_id) select room_id, last_seq, 'message', id from root
      ), followed as (
        insert into thread_follows (user_id, thread_id, room_id, read_seq)
        select author_id, id, room_id, last_seq from root
      )
      insert into messages (id, room_id, seq, author_id, content, has_embeds)
      select id, room_id, last_seq, author_id, ${TEXT}, true from root`;
    this.#roots = this.rooms.map((roomId) => roots.get(roomId) as string);
  }

  /** Posts with this concurrency until the time is over. */
  async run(inFlight: number, seconds: number, post = () => this.#post()) {
    const latencies = new Latencies();
    const heard = this.heard;
    const end = performance.now() + seconds * 1_000;
    const hand = async () => {
      while (performance.now() < end) {
        const started = performance.now();
        await post();
        latencies.add(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, hand));
    if (this.#listeners > 0) await this.#all(heard + latencies.count);
    return { rate: latencies.count / seconds, latencies };
  }

  /** Posts at a fixed rate, and waits until all is acknowledged. */
  async paced(rate: number, seconds: number): Promise<number> {
    const started = performance.now();
    const posts: Promise<void>[] = [];
    while (posts.length < rate * seconds) {
      const due = ((performance.now() - started) / 1_000) * rate;
      while (posts.length < Math.min(due, rate * seconds)) posts.push(this.#post());
      await Bun.sleep(2);
    }
    await Promise.all(posts);
    return posts.length;
  }

  close(): void {
    for (const socket of this.#sockets) {
      socket.onclose = null;
      socket.close();
    }
  }

  /** The next writer, and the room to write to. */
  next(): { person: Person; roomId: string } {
    const i = this.#turn++ % this.people.length;
    return { person: this.people[i] as Person, roomId: this.rooms[i] as string };
  }

  #listeners = 0;

  async #listen(address: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sockets = await openSockets(address, this.people, () => (text) => {
      if (text.startsWith('{"type":"message"')) this.heard += 1;
      if (text.startsWith('{"type":"joined"') && ++this.#listeners === PEOPLE) resolve();
    });
    for (const [i, socket] of sockets.entries()) {
      socket.send(JSON.stringify({ type: "join", room_id: this.rooms[i] }));
    }
    await promise;
  }

  /** @throws Error if an accepted message did not reach the other screens */
  async #all(count: number): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (this.heard < count && performance.now() < deadline) await Bun.sleep(5);
    if (this.heard !== count) throw new Error(`${this.heard} heard of ${count}`);
  }

  #post(): Promise<void> {
    const i = this.#turn++ % this.people.length;
    const client_id = crypto.randomUUID();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(client_id, resolve);
    const message = { room_id: this.rooms[i], content: TEXT, client_id };
    const frame = { type: "message", ...message, thread_id: this.#roots[i] };
    this.#sockets[i]?.send(JSON.stringify(frame));
    return promise;
  }

  #hear(text: string): void {
    if (text.startsWith(ACK)) {
      const client_id = text.slice(ACK.length, ACK.length + 36);
      this.#waiting.get(client_id)?.();
      this.#waiting.delete(client_id);
    } else if (text.startsWith('{"type":"error"')) throw new Error(text);
  }
}
