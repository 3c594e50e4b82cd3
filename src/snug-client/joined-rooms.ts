import { isOfLog } from "../wire/event-kinds.ts";
import type { RoomEvent, ServerEvent } from "../wire/events.ts";
import type { Frame } from "../wire/frames.ts";

/** The rooms that a bot has joined, and how far it has handled the log of each. */
export class JoinedRooms {
  /** The last `seq` of each room, to resume from; -1 before the first. */
  readonly #seqs = new Map<string, number>();
  /** The rooms that the current connection has joined. */
  readonly #joined = new Set<string>();

  /** @param send sends a frame; without a connection it is dropped, and `rejoin` sends it again */
  constructor(private readonly send: (frame: Frame) => void) {}

  /** Joins a room, to receive everything after `seq`; without one, after what was handled before. */
  join(roomId: string, seq?: number): void {
    if (seq !== undefined) this.#seqs.set(roomId, seq);
    else if (!this.#seqs.has(roomId)) this.#seqs.set(roomId, -1);
    this.#sendJoin(roomId);
  }

  /** Joins a room again after `resync`, unless it was left meanwhile. */
  resume(roomId: string): void {
    if (this.#seqs.has(roomId)) this.#sendJoin(roomId);
  }

  leave(roomId: string): void {
    this.#seqs.delete(roomId);
    this.#joined.delete(roomId);
    this.send({ type: "leave", room_id: roomId });
  }

  /** Joins all of them again, on a new connection. */
  rejoin(): void {
    this.#joined.clear();
    for (const roomId of this.#seqs.keys()) this.#sendJoin(roomId);
  }

  /** The number of a room's last event that was handled; null before the first. */
  seqOf(roomId: string): number | null {
    const seq = this.#seqs.get(roomId) ?? -1;
    return seq < 0 ? null : seq;
  }

  /**
   * Moves the number of a room on, where an event says so.
   * @returns false for an event that is not to be handled: it was before, or it comes again after those
   *   that are missing before it
   */
  note(event: ServerEvent): boolean {
    if (event.type === "joined") {
      this.#joined.add(event.room_id);
      if (this.seqOf(event.room_id) === null) this.#seqs.set(event.room_id, event.seq);
    }
    if (event.type === "resync" && this.#seqs.has(event.room_id)) this.#seqs.set(event.room_id, -1);
    return !isOfLog(event) || this.#isNext(event);
  }

  /** Skips an event that was handled before, and asks for those that are missing before it. */
  #isNext(event: RoomEvent): boolean {
    const last = this.seqOf(event.room_id);
    if (!this.#seqs.has(event.room_id)) return true;
    // The room is being joined again: this event comes again, after all that is missing before it.
    if (!this.#joined.has(event.room_id)) return false;
    if (last === null) return true;
    if (event.seq <= last) return false;
    if (event.seq > last + 1) {
      this.#sendJoin(event.room_id);
      return false;
    }
    this.#seqs.set(event.room_id, event.seq);
    return true;
  }

  #sendJoin(roomId: string): void {
    const seq = this.seqOf(roomId);
    this.send({ type: "join", room_id: roomId, ...(seq === null ? {} : { seq }) });
  }
}
