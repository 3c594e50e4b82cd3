import type { Signal } from "@preact/signals";
import type { Answer, RoomEvent, ServerEvent } from "../../../../src/wire/events.ts";
import type { Frame } from "../../../../src/wire/frames.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { isOfLog } from "../../../../src/wire/event-kinds.ts";
import {
  conversationById,
  emptyView,
  type RoomView,
  type State,
  unloaded,
  withView,
} from "../model/model.ts";
import { type Around, RoomHistory } from "./room-history.ts";
import { RoomMembers } from "../conversations/room-members.ts";

type RoomSyncDeps = {
  api: Api;
  state: Signal<State>;
  clock: Clock;
  send(frame: Frame): boolean;
  /** The message of a link does not exist, or was deleted. */
  onMissing(): void;
};

/**
 * Keeps the open room in sync with the service: joins it with the last number that was applied, and
 * joins again when a number is missing.
 */
export class RoomSync {
  #roomId: string | null = null;
  #hidden = false;
  /** Whether events of the room may have been missed since its members were loaded. */
  #mayHaveMissed = false;
  /** The room's number when it was opened; null until it is known. */
  #openedAt: number | null = null;
  /** The message around which the history will be loaded. */
  #around: string | null = null;

  readonly history: RoomHistory;
  readonly members: RoomMembers;
  readonly #joins: RoomJoins;

  constructor(private readonly deps: RoomSyncDeps) {
    this.#joins = new RoomJoins(deps);
    this.history = new RoomHistory({
      ...deps,
      isAbout: (roomId, event) => event.room_id === roomId,
      fetchPage: (id, query, signal) =>
        deps.api.call("GET /api/rooms/:id/messages", { params: { id }, query }, { signal }),
      // A page of history does not say who joined or left.
      onAhead: (roomId) => this.members.renew(roomId),
    });
    this.members = new RoomMembers({
      ...deps,
      isJoining: (roomId) => this.#joins.isPending && roomId === this.#roomId,
    });
  }

  /**
   * Opens a room, and leaves the one before.
   * @param around a message to open the history around; else the newest, or the loaded part
   */
  open(roomId: string, around: string | null = null): void {
    if (this.#roomId === roomId) {
      if (around && !this.#shows(roomId, around)) void this.#load(roomId, around);
      return;
    }
    this.close();
    this.#roomId = roomId;
    this.members.setOpen(roomId, true);
    this.#openedAt = null;
    this.#mayHaveMissed = true;
    this.#around = around && !this.#shows(roomId, around) ? around : null;
    if (this.#around) this.#change(roomId, unloaded);
    // Without a socket REST may work, or at least give an error to show.
    if (!this.#join() && !this.#view(roomId).loaded) void this.#load(roomId, this.#around);
  }

  close(): void {
    if (this.#roomId) {
      this.deps.send({ type: "leave", room_id: this.#roomId });
      this.members.setOpen(this.#roomId, false);
      this.history.trim(this.#roomId);
    }
    this.#roomId = null;
    this.#joins.cancel();
  }

  /** Cancels everything: nobody is signed in any more. */
  stop(): void {
    this.close();
    this.history.stop();
    this.members.stop();
  }

  /** A hidden page leaves its room, and joins it again with the number that it has. */
  setHidden(hidden: boolean): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    if (!this.#roomId) return;
    this.#joins.isPending = false;
    this.#mayHaveMissed = true;
    if (hidden) this.deps.send({ type: "leave", room_id: this.#roomId });
    else this.#join();
  }

  reconnected(): void {
    this.#mayHaveMissed = true;
    this.#join();
  }

  /** I was removed from a room and added again: its events arrive after the next join. */
  cameBack(roomId: string): void {
    if (roomId === this.#roomId) this.reconnected();
  }

  /** I am not in a room any more. */
  forget(roomId: string): void {
    if (this.#roomId === roomId) this.#roomId = null;
    this.members.setOpen(roomId, false);
    this.history.cancel(roomId);
  }

  get roomId(): string | null {
    return this.#roomId;
  }

  /** Whether an event happened in the open room after it was opened. */
  isNews(event: RoomEvent): boolean {
    if (event.room_id !== this.#roomId || this.#openedAt === null) return false;
    return event.seq > this.#openedAt;
  }

  /** @returns true if the event is handled and must not be applied */
  onEvent(event: ServerEvent): boolean {
    if (event.type === "joined") this.#onJoined(event.room_id, event.seq);
    if (event.type === "resync") {
      this.#change(event.room_id, { ...unloaded, seq: null });
      this.#join();
    }
    if (event.type === "joined" || event.type === "resync") return true;
    this.members.onEvent(event);
    if (!isOfLog(event)) return false;
    this.history.onEvent(event);
    const seq = this.deps.state.value.views[event.room_id]?.seq ?? null;
    const isGap = seq !== null && event.seq > seq + 1 && event.room_id === this.#roomId;
    // One join is enough: its answer includes everything until then.
    if (isGap && !this.#joins.isPending) this.#join();
    return false;
  }

  onError(error: Extract<Answer, { type: "error" }>): void {
    // The error may be about the room before.
    if ((error.room_id ?? this.#roomId) !== this.#roomId) return;
    // The room may be deleted or closed to me: the list of rooms then says so.
    if (error.code === "room_not_found" || error.code === "not_a_member") this.#roomId = null;
    else this.#joins.retryLater(() => this.#join());
  }

  #load(roomId: string, around: string | null): Promise<void> {
    const membership = conversationById(this.deps.state.value, roomId)?.membership;
    // A room opens at its first unread message.
    const newest: Around = membership?.unread ? { since: membership.last_read_at } : {};
    return this.history.load(roomId, around ? { around } : newest);
  }

  #join(): boolean {
    if (!this.#roomId || this.#hidden) return false;
    return this.#joins.send(this.#roomId, this.#view(this.#roomId));
  }

  /** History is loaded after the join, so that events in between arrive and are not lost. */
  #onJoined(roomId: string, seq: number): void {
    // The answer is about a room that I have left again.
    if (roomId !== this.#roomId) return;
    this.#joins.isPending = false;
    this.#openedAt ??= seq;
    const view = this.#view(roomId);
    if (!view.loaded || view.seq === null) {
      this.#change(roomId, { seq });
      void this.#load(roomId, this.#around);
      this.#around = null;
    } else if (!this.#joins.hadNumber && view.seq < seq) {
      // A page of history arrived after the join was sent; events between the two are missing.
      this.#join();
    }
    if (this.#mayHaveMissed) this.members.renew(roomId);
    this.#mayHaveMissed = false;
  }

  #shows(roomId: string, messageId: string): boolean {
    return this.#view(roomId).messages.some((message) => message.id === messageId);
  }

  #view(roomId: string): RoomView {
    return this.deps.state.value.views[roomId] ?? emptyView;
  }

  #change(roomId: string, change: Partial<RoomView>): void {
    this.deps.state.value = withView(this.deps.state.value, roomId, change);
  }
}

type RoomJoinsDeps = { clock: Clock; send(frame: Frame): boolean };

const RETRY_MS = 1_000;

/** Sends the joins of one room after another. */
class RoomJoins {
  /** A join was sent, and is not answered yet. */
  isPending = false;
  /** Whether the last join had a number, so that missed events follow it. */
  hadNumber = false;
  #cancelRetry: () => void = () => {};

  constructor(private readonly deps: RoomJoinsDeps) {}

  /**
   * Joins with the last known number, if the history is loaded.
   * @returns false without a connection
   */
  send(room_id: string, { seq, loaded }: Pick<RoomView, "seq" | "loaded">): boolean {
    const since = loaded && seq !== null ? { seq } : {};
    this.hadNumber = "seq" in since;
    this.isPending = this.deps.send({ type: "join", room_id, ...since });
    return this.isPending;
  }

  /**
   * Joins again a moment after a refusal, even if an earlier join has succeeded meanwhile: joining twice
   * changes nothing.
   */
  retryLater(join: () => void): void {
    this.#cancelRetry();
    this.#cancelRetry = this.deps.clock.after(RETRY_MS, join);
  }

  /** Leaves the room, and waits for no answer and retries nothing. */
  cancel(): void {
    this.isPending = false;
    this.#cancelRetry();
  }
}
