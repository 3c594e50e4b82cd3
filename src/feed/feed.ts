import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";
import { FollowedRoom } from "./followed-room.ts";
import type { FeedSink, FeedSource } from "./feed-ends.ts";

const log = getLogger("feed");

/** What one read returns at most: events of each room, and rooms. */
const MAX_EVENTS_PER_READ = 100;
const MAX_ROOMS_PER_READ = 200;

/**
 * Publishes the logs of the rooms that someone on this instance follows, each in the order of its
 * numbers, in whatever order they become known: events that are missing in between are read from the
 * log.
 */
export class Feed {
  readonly #rooms = new Map<string, FollowedRoom>();
  /** Recent numbers of rooms that nobody follows yet, since the last check and since the one before. */
  #recent: [now: Map<string, number>, before: Map<string, number>] = [new Map(), new Map()];
  /** Rooms whose logs have grown. */
  readonly #grown = new Coalescer((rooms: FollowedRoom[]) => this.#read(rooms), {
    maxItems: MAX_ROOMS_PER_READ,
  });

  #isPaused = false;

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
    const room = new FollowedRoom(roomId, position, known);
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
    for (const room of this.#rooms.values()) lag += room.lag;
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

  /** Publishes events that an instance has committed, without reading them back. */
  publish(events: RoomEvent[]): void {
    if (this.#isPaused) return;
    for (const event of events) {
      const { room_id, seq } = event;
      const room = this.#rooms.get(room_id);
      if (!room) this.#noteUnfollowed(room_id, seq, event);
      else if (room.add(event)) this.#advance(room);
    }
  }

  /** A notification says that the room's log has grown to this number. */
  noteGrowth(roomId: string, seq: number): void {
    const room = this.#rooms.get(roomId);
    if (!room) this.#noteUnfollowed(roomId, seq, null);
    else if (room.noteGrowth(seq)) this.#advance(room);
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
        room.noteGrowth(last);
        this.#advance(room);
      }
    }
  }

  #noteUnfollowed(roomId: string, seq: number, event: RoomEvent | null): void {
    const [now] = this.#recent;
    now.set(roomId, Math.max(seq, now.get(roomId) ?? 0));
    this.#guard("an event", () => this.sink.noteUnfollowed(roomId, seq, event));
  }

  #advance(room: FollowedRoom): void {
    for (let event = room.takeNext(); event; event = room.takeNext()) this.#publish(event);
    if (room.lag === 0 || room.isReading) return;
    room.isReading = true;
    this.#grown.add(room);
  }

  #publish(event: RoomEvent): void {
    this.#guard("an event", () => this.sink.publish(event));
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

  async #read(rooms: FollowedRoom[]): Promise<void> {
    const knownBefore = rooms.map(({ known }) => known);
    const spans = rooms.map(({ id, position }) => ({ roomId: id, after: position }));
    try {
      for (const event of await this.source.readEvents(spans, MAX_EVENTS_PER_READ)) {
        const room = this.#rooms.get(event.room_id);
        if (!room || event.seq <= room.position) continue;
        // Whether everyone may still receive later events is not checked yet: they wait.
        if (!this.#isPaused || event.seq <= room.known) room.keep(event);
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
      if (hasGrown || room.hasNext) this.#advance(room);
    }
  }
}
