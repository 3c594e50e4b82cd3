import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";

const log = getLogger("feed");

/** Where the feed reads rooms' logs. */
export type FeedSource = {
  /** The rooms' events after these numbers, each room's oldest first, as everyone in it may see them. */
  readEvents(spans: Span[], limit: number): Promise<RoomEvent[]>;
  /** The last number of each of these rooms; rooms that do not exist are left out. */
  readPositions(roomIds: string[]): Promise<Map<string, number>>;
};

/** A part of a room's log: what comes after a number. */
export type Span = { roomId: string; after: number };

export type FeedSink = {
  /** Called once for each event of a followed room, in the order of its log. */
  publish(event: RoomEvent): void;
  /** A followed room was deleted. */
  removeRoom(roomId: string): void;
  /** A room that nobody here follows has grown to a number, by an event if it is known here. */
  noteUnfollowed(roomId: string, seq: number, event: RoomEvent | null): void;
};

type Followed = {
  id: string;
  /** Followers on this instance. */
  count: number;
  /** The last number published. */
  position: number;
  /** The highest number that the log is known to have. */
  known: number;
  /** Events that arrived before the ones in front of them. */
  early: Map<number, RoomEvent>;
  /** Its log is being read, or waits for the next read. */
  isReading: boolean;
};

/** What one read returns at most: events of each room, and rooms. */
const MAX_EVENTS_PER_READ = 100;
const MAX_ROOMS_PER_READ = 200;
/** An instance that has not been heard of for so long has ended. */
const PEER_MS = 5_000;

/**
 * Publishes the logs of the rooms that someone on this instance follows, each in the order of its
 * numbers, in whatever order they become known: events that are missing in between are read from the
 * log.
 */
export class Feed {
  readonly #rooms = new Map<string, Followed>();
  /** Recent numbers of rooms that nobody follows yet, since the last check and since the one before. */
  #recent: [now: Map<string, number>, before: Map<string, number>] = [new Map(), new Map()];
  /** Rooms whose logs have grown. */
  readonly #grown = new Coalescer((rooms: Followed[]) => this.#read(rooms), {
    maxItems: MAX_ROOMS_PER_READ,
  });

  #isPaused = false;
  #peerSeenAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly source: FeedSource,
    readonly sink: FeedSink,
  ) {}

  /**
   * Starts to follow a room: everything after the position will be published. A room that is
   * already followed continues from its own position.
   * @param position the room's last number, read a moment ago; later numbers are remembered
   * @returns the id, the same string for all followers, so that thousands of them share it
   */
  follow(roomId: string, position: number): string {
    const followed = this.#rooms.get(roomId);
    if (followed) {
      followed.count += 1;
      return followed.id;
    }
    const [now, before] = this.#recent;
    const known = Math.max(position, now.get(roomId) ?? 0, before.get(roomId) ?? 0);
    const room = { id: roomId, count: 1, position, known, early: new Map(), isReading: false };
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

  /** The last number published here; undefined for a room that is not followed. */
  position(roomId: string): number | undefined {
    return this.#rooms.get(roomId)?.position;
  }

  /** How many rooms are followed. */
  get size(): number {
    return this.#rooms.size;
  }

  /** How many events are known and not yet published. */
  get lag(): number {
    let lag = 0;
    for (const { known, position } of this.#rooms.values()) lag += Math.max(0, known - position);
    return lag;
  }

  /**
   * Until `resume`, `checkPositions` alone publishes what this instance commits, as far as it has
   * read.
   */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Another instance is running: its pings come every second. */
  notePeer(): void {
    this.#peerSeenAt = performance.now();
  }

  get hasPeers(): boolean {
    return performance.now() - this.#peerSeenAt < PEER_MS;
  }

  /** Publishes events that an instance has committed, without reading them back. */
  publish(events: RoomEvent[]): void {
    if (this.#isPaused) return;
    for (const event of events) {
      const { room_id, seq } = event;
      const room = this.#rooms.get(room_id);
      if (!room) this.#noteUnfollowed(room_id, seq, event);
      else if (seq > room.position) {
        room.early.set(seq, event);
        room.known = Math.max(room.known, seq);
        this.#advance(room);
      }
    }
  }

  /** A notification says that the room's log has grown to this number. */
  noteGrowth(roomId: string, seq: number): void {
    const room = this.#rooms.get(roomId);
    if (!room) this.#noteUnfollowed(roomId, seq, null);
    else if (seq > room.known) {
      room.known = seq;
      this.#advance(room);
    }
  }

  /**
   * Compares every followed room with the database, because notifications can be lost.
   * @param check runs after the positions were read and before anything up to them is published: a
   * right that had ended before an event is found
   */
  async checkPositions(check: () => Promise<unknown> = async () => {}): Promise<void> {
    this.#recent = [new Map(), this.#recent[0]];
    const followed = [...this.#rooms];
    const ids = followed.map(([roomId]) => roomId);
    const positions = ids.length > 0 ? await this.source.readPositions(ids) : new Map();
    await check();
    for (const [roomId, room] of followed) {
      if (this.#rooms.get(roomId) !== room) continue;
      const last = positions.get(roomId);
      if (last === undefined)
        this.#guard("the deletion of a room", () => this.sink.removeRoom(roomId));
      else {
        room.known = Math.max(room.known, last);
        this.#advance(room);
      }
    }
  }

  #noteUnfollowed(roomId: string, seq: number, event: RoomEvent | null): void {
    const [now] = this.#recent;
    now.set(roomId, Math.max(seq, now.get(roomId) ?? 0));
    this.#guard("an event", () => this.sink.noteUnfollowed(roomId, seq, event));
  }

  #advance(room: Followed): void {
    for (;;) {
      const event = room.early.get(room.position + 1);
      if (!event) break;
      room.early.delete(event.seq);
      room.position = event.seq;
      this.#guard("an event", () => this.sink.publish(event));
    }
    if (room.known <= room.position || room.isReading) return;
    room.isReading = true;
    this.#grown.add(room);
  }

  /** An error of the sink concerns one event or room: the log continues. */
  #guard(what: "an event" | "the deletion of a room", work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error(`Publishing ${what} failed; the log continues.`, {
        error: error instanceof Error ? error.stack : String(error),
      });
    }
  }

  async #read(rooms: Followed[]): Promise<void> {
    const knownBefore = rooms.map(({ known }) => known);
    const spans = rooms.map(({ id, position }) => ({ roomId: id, after: position }));
    try {
      for (const event of await this.source.readEvents(spans, MAX_EVENTS_PER_READ)) {
        const room = this.#rooms.get(event.room_id);
        if (!room || event.seq <= room.position) continue;
        // Whether everyone may still receive later events is not checked yet: they wait.
        if (!this.#isPaused || event.seq <= room.known) room.early.set(event.seq, event);
      }
    } catch (error) {
      log.warn("Reading the rooms' logs failed; the next sweep retries.", { error: String(error) });
      // No retry at once: the database is probably away.
      for (const room of rooms) room.known = room.position;
    }
    for (const [i, room] of rooms.entries()) {
      room.isReading = false;
      if (this.#rooms.get(room.id) !== room) continue;
      // A read without progress would only be repeated, unless the log has grown in the meantime:
      // the sweep checks again.
      const hasGrown = room.known > (knownBefore[i] ?? 0);
      if (hasGrown || room.early.has(room.position + 1)) this.#advance(room);
    }
  }
}
