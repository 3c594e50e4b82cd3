import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";

const log = getLogger("feed");

/** What the feed asks of the rest of the house. */
export type FeedSource = {
  /** The rooms' events after these numbers, each room's oldest first, in the form that all may see. */
  readEvents(spans: Span[], limit: number): Promise<RoomEvent[]>;
  /** The last number of each of these rooms that exists. */
  readPositions(roomIds: string[]): Promise<Map<string, number>>;
};

/** A part of a room's log: what comes after a number. */
export type Span = { roomId: string; after: number };

export type FeedSink = {
  /** Called once for each event of a followed room, in the order of its log. */
  publish(event: RoomEvent): void;
  /** A followed room is no more. */
  removeRoom(roomId: string): void;
};

type Followed = {
  id: string;
  /** Followers on this instance. */
  count: number;
  /** The last number delivered. */
  position: number;
  /** The highest number heard of. */
  known: number;
  /** Events that came before those between. */
  early: Map<number, RoomEvent>;
  /** Its log is being read, or will be with the next read. */
  reading: boolean;
};

/** What one read takes: events of each room, and rooms. */
const EVENTS_AT_ONCE = 100;
const ROOMS_AT_ONCE = 200;

/**
 * Publishes the logs of the rooms that someone here follows, each in the order of its numbers,
 * whatever the order in which they are heard of: what is missing between is read from the log.
 */
export class Feed {
  readonly #rooms = new Map<string, Followed>();
  /** Numbers heard of lately, of rooms that nobody followed yet; two spans between checks. */
  #heard: [now: Map<string, number>, before: Map<string, number>] = [new Map(), new Map()];
  /** Rooms whose logs have grown. */
  readonly #grown = new Coalescer((rooms: Followed[]) => this.#read(rooms), {
    maxItems: ROOMS_AT_ONCE,
  });

  constructor(
    readonly source: FeedSource,
    readonly sink: FeedSink,
  ) {}

  /**
   * Starts to follow a room: everything after the position will be delivered. A room that is
   * followed already goes on from where it is.
   * @param position the room's last number, as read a moment ago: what was heard of since is kept
   * @returns the id, the same string for all who follow: thousands who keep it keep it once
   */
  follow(roomId: string, position: number): string {
    const followed = this.#rooms.get(roomId);
    if (followed) {
      followed.count += 1;
      return followed.id;
    }
    const [now, before] = this.#heard;
    const known = Math.max(position, now.get(roomId) ?? 0, before.get(roomId) ?? 0);
    const room = { id: roomId, count: 1, position, known, early: new Map(), reading: false };
    this.#rooms.set(roomId, room);
    this.#advance(room);
    return roomId;
  }

  unfollow(roomIds: Iterable<string>): void {
    for (const roomId of roomIds) {
      const room = this.#rooms.get(roomId);
      if (room && --room.count <= 0) this.#rooms.delete(roomId);
    }
  }

  /** The last number delivered here; undefined for a room that is not followed. */
  position(roomId: string): number | undefined {
    return this.#rooms.get(roomId)?.position;
  }

  /** How many rooms are followed. */
  get size(): number {
    return this.#rooms.size;
  }

  /** How many events are known of and were not yet delivered. */
  get lag(): number {
    let lag = 0;
    for (const { known, position } of this.#rooms.values()) lag += Math.max(0, known - position);
    return lag;
  }

  /** Events written and committed here: they need not be read back. */
  publish(events: RoomEvent[]): void {
    for (const event of events) {
      const { room_id, seq } = event;
      const room = this.#rooms.get(room_id);
      if (!room) this.#hear(room_id, seq);
      else if (seq > room.position) {
        room.early.set(seq, event);
        room.known = Math.max(room.known, seq);
        this.#advance(room);
      }
    }
  }

  /** The room's log is said to have grown to this number. */
  noteGrowth(roomId: string, seq: number): void {
    const room = this.#rooms.get(roomId);
    if (!room) this.#hear(roomId, seq);
    else if (seq > room.known) {
      room.known = seq;
      this.#advance(room);
    }
  }

  /** Compares every followed room with the database: notifications can be lost, the log cannot. */
  async checkPositions(): Promise<void> {
    this.#heard = [new Map(), this.#heard[0]];
    const followed = [...this.#rooms];
    if (followed.length === 0) return;
    const positions = await this.source.readPositions(followed.map(([roomId]) => roomId));
    for (const [roomId, room] of followed) {
      const last = positions.get(roomId);
      if (last === undefined) this.#handOn("the end of a room", () => this.sink.removeRoom(roomId));
      else {
        room.known = Math.max(room.known, last);
        this.#advance(room);
      }
    }
  }

  #hear(roomId: string, seq: number): void {
    const [now] = this.#heard;
    now.set(roomId, Math.max(seq, now.get(roomId) ?? 0));
  }

  #advance(room: Followed): void {
    for (;;) {
      const event = room.early.get(room.position + 1);
      if (!event) break;
      room.early.delete(event.seq);
      room.position = event.seq;
      this.#handOn("an event", () => this.sink.publish(event));
    }
    if (room.known <= room.position || room.reading) return;
    room.reading = true;
    this.#grown.add(room);
  }

  /** What the sink throws at concerns one event or room: the log goes on. */
  #handOn(what: "an event" | "the end of a room", work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error(`Delivering ${what} failed; the log goes on.`, {
        error: error instanceof Error ? error.stack : String(error),
      });
    }
  }

  async #read(rooms: Followed[]): Promise<void> {
    const spans = rooms.map(({ id, position }) => ({ roomId: id, after: position }));
    try {
      for (const event of await this.source.readEvents(spans, EVENTS_AT_ONCE)) {
        const room = this.#rooms.get(event.room_id);
        if (room && event.seq > room.position) room.early.set(event.seq, event);
      }
    } catch (error) {
      log.warn("The log could not be read; the next sweep tries again.", { error: String(error) });
      // Not again at once: the database is likely away.
      for (const room of rooms) room.known = room.position;
    }
    for (const room of rooms) {
      room.reading = false;
      if (this.#rooms.get(room.id) !== room) continue;
      // A read that brought nothing on would only be repeated: the sweep looks again.
      if (room.early.has(room.position + 1)) this.#advance(room);
    }
  }
}
