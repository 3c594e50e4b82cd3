import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";
import type { RoomKind } from "../wire/models.ts";

const log = getLogger("feed");

/** Per read: the maximum number of events per room, and of rooms. */
const MAX_EVENTS_PER_READ = 100;
const MAX_ROOMS_PER_READ = 200;

/**
 * Publishes the logs of the rooms that someone on this instance follows, each in the order of its
 * numbers. If an event arrives before an earlier one, the missing events are read from the log.
 */
export class Feed {
  readonly #rooms = new Map<string, FollowedRoom>();
  /** Last numbers of rooms that nobody follows, noted since the last check and since the one before. */
  #recent: [now: Map<string, number>, before: Map<string, number>] = [new Map(), new Map()];
  readonly #reads = new Coalescer((rooms: FollowedRoom[]) => this.#read(rooms), {
    maxItems: MAX_ROOMS_PER_READ,
  });

  #isPaused = false;

  constructor(
    readonly source: FeedSource,
    readonly sink: FeedSink,
  ) {}

  /**
   * Follows a room: every event after the position is published. A room that is followed already continues
   * from its own position.
   * @param position the last number that is not published
   * @returns the id, as a string that all followers share to save memory
   */
  follow(roomId: string, position: number): string {
    const existing = this.#rooms.get(roomId);
    if (existing) {
      existing.count += 1;
      return existing.id;
    }
    const [now, before] = this.#recent;
    const lastSeq = Math.max(position, now.get(roomId) ?? 0, before.get(roomId) ?? 0);
    const room = new FollowedRoom(roomId, position, lastSeq);
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

  /** Resolves once a room's events up to a number are published, or its log could not be read. */
  async untilPublished(roomId: string, seq: number): Promise<void> {
    const room = this.#rooms.get(roomId);
    if (!room) return;
    if (room.onGrowth(seq)) this.#advance(room);
    while (room.position < seq && room.nextRead) await room.nextRead.promise;
  }

  get size(): number {
    return this.#rooms.size;
  }

  get lag(): number {
    let lag = 0;
    for (const room of this.#rooms.values()) lag += room.lag;
    return lag;
  }

  /** Until `resume`, only `checkPositions` publishes events, up to the positions that it reads. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Publishes events that this instance has committed, without reading them from the log. */
  publish(entries: { event: RoomEvent; kind: RoomKind | null }[]): void {
    if (this.#isPaused) return;
    for (const { event, kind } of entries) {
      const { room_id, seq } = event;
      const room = this.#rooms.get(room_id);
      if (!room) this.#onUnfollowedGrowth(room_id, seq, kind);
      else if (seq > room.position) {
        room.early.set(seq, event);
        room.onGrowth(seq);
        this.#advance(room);
      }
    }
  }

  /** Call when a notification says that the room's log has grown to this number. */
  onGrowth(roomId: string, seq: number, kind: RoomKind | null = null): void {
    const room = this.#rooms.get(roomId);
    if (!room) this.#onUnfollowedGrowth(roomId, seq, kind);
    else if (room.onGrowth(seq)) this.#advance(room);
  }

  /**
   * Compares every followed room with the database, because notifications can be lost.
   * @param check checks memberships. It runs between reading the positions and publishing events up to them.
   */
  async checkPositions(check: () => Promise<unknown> = async () => {}): Promise<void> {
    this.#recent = [new Map(), this.#recent[0]];
    const rooms = [...this.#rooms];
    const ids = rooms.map(([roomId]) => roomId);
    const positions = ids.length > 0 ? await this.source.readPositions(ids) : new Map();
    await check();
    for (const [roomId, room] of rooms) {
      if (this.#rooms.get(roomId) !== room) continue;
      const last = positions.get(roomId);
      if (last === undefined)
        this.#guard("the deletion of a room", () => this.sink.removeRoom(roomId));
      else {
        room.onGrowth(last);
        this.#advance(room);
      }
    }
  }

  #onUnfollowedGrowth(roomId: string, seq: number, kind: RoomKind | null): void {
    const [now] = this.#recent;
    now.set(roomId, Math.max(seq, now.get(roomId) ?? 0));
    this.#guard("an event", () => this.sink.onUnfollowedGrowth(roomId, seq, kind));
  }

  #advance(room: FollowedRoom): void {
    for (;;) {
      const event = room.early.get(room.position + 1);
      if (!event) break;
      room.early.delete(event.seq);
      room.position = event.seq;
      this.#guard("an event", () => this.sink.publish(event));
    }
    if (room.lag === 0 || room.nextRead) return;
    room.nextRead = Promise.withResolvers();
    if (!this.#reads.add(room)) this.#endReading(room);
  }

  #endReading(room: FollowedRoom): void {
    room.nextRead?.resolve();
    room.nextRead = null;
  }

  /** Logs an error of the sink, so that it affects only one event or room. */
  #guard(subject: "an event" | "the deletion of a room", work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error(`Publishing ${subject} failed; the log continues.`, {
        error: error instanceof Error ? error.stack : String(error),
      });
    }
  }

  async #read(rooms: FollowedRoom[]): Promise<void> {
    const lastSeqsBefore = rooms.map(({ lastSeq }) => lastSeq);
    const spans = rooms.map(({ id, position }) => ({ roomId: id, after: position }));
    try {
      for (const event of await this.source.readEvents(spans, MAX_EVENTS_PER_READ)) {
        const room = this.#rooms.get(event.room_id);
        if (!room || event.seq <= room.position) continue;
        // Later events wait for the check of memberships.
        if (!this.#isPaused || event.seq <= room.lastSeq) room.early.set(event.seq, event);
      }
    } catch (error) {
      log.warn("Reading the rooms' logs failed; the next sweep retries.", { error: String(error) });
      // The database is probably unavailable, so the next sweep retries.
      for (const room of rooms) room.lastSeq = room.position;
    }
    for (const [i, room] of rooms.entries()) {
      this.#endReading(room);
      if (this.#rooms.get(room.id) !== room) continue;
      // Without progress, reading again would return the same, unless the log has grown meanwhile.
      const hasGrown = room.lastSeq > (lastSeqsBefore[i] ?? 0);
      if (hasGrown || room.early.has(room.position + 1)) this.#advance(room);
    }
  }
}

/** Where the feed reads rooms' logs. */
type FeedSource = {
  /** Reads events after these numbers, each room's oldest first, in the form that all members may see. */
  readEvents(spans: Span[], limit: number): Promise<RoomEvent[]>;
  /** Reads the last number of each of these rooms. Rooms that do not exist are omitted. */
  readPositions(roomIds: string[]): Promise<Map<string, number>>;
};

export type Span = { roomId: string; after: number };

type FeedSink = {
  /** Called for each event of a followed room, in the order of its log. */
  publish(event: RoomEvent): void;
  /** Called when a followed room was deleted. */
  removeRoom(roomId: string): void;
  /**
   * Called when the log of a room that nobody on this instance follows has grown to `seq`.
   * @param kind null if it is not known
   */
  onUnfollowedGrowth(roomId: string, seq: number, kind: RoomKind | null): void;
};

/** A room that someone on this instance follows. */
class FollowedRoom {
  count = 1;
  /** Resolves when its log has been read; null while nobody reads it or waits to. */
  nextRead: PromiseWithResolvers<void> | null = null;
  /** Events that arrived before an earlier one was published, by number. */
  readonly early = new Map<number, RoomEvent>();

  /**
   * @param position the last number published
   * @param lastSeq the highest number of the log that has been reported
   */
  constructor(
    readonly id: string,
    public position: number,
    public lastSeq: number,
  ) {}

  /** The number of events that are not published yet. */
  get lag(): number {
    return Math.max(0, this.lastSeq - this.position);
  }

  /** @returns false if this or a higher number was reported before */
  onGrowth(seq: number): boolean {
    if (seq <= this.lastSeq) return false;
    this.lastSeq = seq;
    return true;
  }
}
