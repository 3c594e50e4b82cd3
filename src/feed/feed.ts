import { getLogger } from "../platform/log.ts";
import type { RoomEvent } from "../wire/events.ts";

const log = getLogger("feed");

/** What the feed asks of the rest of the house. */
export type FeedSource = {
  /** The room's events after a number, oldest first, in the form that all may see. */
  readEvents(roomId: string, after: number, limit: number): Promise<RoomEvent[]>;
  /** The last number of each of these rooms that exists. */
  readPositions(roomIds: string[]): Promise<Map<string, number>>;
};

export type FeedSink = {
  /** Called once for each event of a followed room, in the order of its log. */
  deliver(event: RoomEvent): void;
  /** A followed room is no more. */
  roomGone(roomId: string): void;
};

type Followed = {
  /** Followers on this instance. */
  count: number;
  /** The last number delivered; null until it has been read. */
  position: number | null;
  ready: Promise<void>;
  /** The highest number heard of. */
  known: number;
  /** Events that came before those between. */
  early: Map<number, RoomEvent>;
  reading: boolean;
};

const READ_AT_ONCE = 500;

/**
 * Publishes the logs of the rooms that someone here follows, each in the order of its numbers,
 * whatever the order in which they are heard of: what is missing between is read from the log.
 */
export class Feed {
  readonly #rooms = new Map<string, Followed>();

  constructor(
    readonly source: FeedSource,
    readonly sink: FeedSink,
  ) {}

  /** Starts to follow; when it resolves, everything after `position(roomId)` will be delivered. */
  async follow(roomIds: Iterable<string>): Promise<void> {
    const fresh: string[] = [];
    const waits: Promise<void>[] = [];
    let starting: Promise<void> | undefined;
    for (const roomId of roomIds) {
      let room = this.#rooms.get(roomId);
      if (!room) {
        fresh.push(roomId);
        // One read for all that are new, begun after the loop has marked them: what is heard of
        // in the meantime is kept in `known`.
        starting ??= Promise.resolve().then(() => this.#start(fresh));
        room = {
          count: 0,
          position: null,
          ready: starting,
          known: 0,
          early: new Map(),
          reading: false,
        };
        this.#rooms.set(roomId, room);
      }
      room.count += 1;
      if (room.position === null) waits.push(room.ready);
    }
    await Promise.all(waits);
  }

  unfollow(roomIds: Iterable<string>): void {
    for (const roomId of roomIds) {
      const room = this.#rooms.get(roomId);
      if (room && --room.count <= 0) this.#rooms.delete(roomId);
    }
  }

  /** The last number delivered here; undefined for a room that is not followed. */
  position(roomId: string): number | undefined {
    return this.#rooms.get(roomId)?.position ?? undefined;
  }

  /** How many rooms are followed. */
  get size(): number {
    return this.#rooms.size;
  }

  /** How many events are known of and were not yet delivered. */
  get lag(): number {
    let lag = 0;
    for (const { known, position } of this.#rooms.values()) {
      if (position !== null) lag += Math.max(0, known - position);
    }
    return lag;
  }

  /** Events written and committed here: they need not be read back. */
  offer(events: RoomEvent[]): void {
    for (const event of events) {
      const room = this.#rooms.get(event.room_id);
      if (!room || (room.position !== null && event.seq <= room.position)) continue;
      room.early.set(event.seq, event);
      room.known = Math.max(room.known, event.seq);
      this.#advance(event.room_id, room);
    }
  }

  /** The room's log is said to have grown to this number. */
  hint(roomId: string, seq: number): void {
    const room = this.#rooms.get(roomId);
    if (!room || seq <= room.known) return;
    room.known = seq;
    this.#advance(roomId, room);
  }

  /** Compares every followed room with the database: notifications can be lost, the log cannot. */
  async check(): Promise<void> {
    const started = [...this.#rooms].filter(([, room]) => room.position !== null);
    if (started.length === 0) return;
    const positions = await this.source.readPositions(started.map(([roomId]) => roomId));
    for (const [roomId, room] of started) {
      const last = positions.get(roomId);
      if (last === undefined) this.sink.roomGone(roomId);
      else {
        room.known = Math.max(room.known, last);
        this.#advance(roomId, room);
      }
    }
  }

  async #start(roomIds: string[]): Promise<void> {
    try {
      const positions = await this.source.readPositions(roomIds);
      for (const roomId of roomIds) {
        const room = this.#rooms.get(roomId);
        if (room?.position !== null) continue;
        room.position = positions.get(roomId) ?? 0;
        this.#advance(roomId, room);
      }
    } catch (error) {
      for (const roomId of roomIds) this.#rooms.delete(roomId);
      throw error;
    }
  }

  #advance(roomId: string, room: Followed): void {
    if (room.position === null) return;
    for (;;) {
      const event = room.early.get(room.position + 1);
      if (!event) break;
      room.early.delete(event.seq);
      room.position = event.seq;
      this.sink.deliver(event);
    }
    if (room.known > room.position && !room.reading) void this.#read(roomId, room);
  }

  async #read(roomId: string, room: Followed): Promise<void> {
    room.reading = true;
    const from = room.position ?? 0;
    try {
      const events = await this.source.readEvents(roomId, from, READ_AT_ONCE);
      for (const event of events) {
        if (event.seq > (room.position ?? 0)) room.early.set(event.seq, event);
      }
    } catch (error) {
      log.warn("The log could not be read; the next sweep tries again.", { error: String(error) });
      // Not again at once: the database is likely away.
      room.known = room.position ?? 0;
    }
    room.reading = false;
    if (this.#rooms.get(roomId) !== room) return;
    // A read that brought nothing on would only be repeated: the sweep looks again.
    if (room.early.has((room.position ?? 0) + 1)) this.#advance(roomId, room);
  }
}
