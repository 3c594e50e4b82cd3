import type { Signal } from "@preact/signals";
import type { Answer, RoomEvent, ServerEvent } from "../../../../src/wire/events.ts";
import type { Frame } from "../../../../src/wire/frames.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Loaded } from "../events/receive.ts";
import type { Journal } from "../load.ts";
import { isOfLog } from "../../../../src/wire/event-kinds.ts";
import {
  conversationById,
  emptyView,
  type RoomView,
  type State,
  unloaded,
  withView,
} from "../model/model.ts";
import { type Around, RoomHistory, coversTime } from "./room-history.ts";
import { scrollPositions } from "./span.ts";
import { RoomMembers } from "../conversations/room-members.ts";

type RoomSyncDeps = {
  api: Api;
  journal: Journal;
  state: Signal<State>;
  receive(source: Loaded): void;
  clock: Clock;
  send(frame: Frame): boolean;
  /** Called if the message of a link does not exist, or was deleted. */
  onMissing(): void;
};

/**
 * Keeps the open room in sync with the service: joins it with the last applied number, and again
 * when a number is missing.
 */
export class RoomSync {
  #roomId: string | null = null;
  #hidden = false;
  /**
   * Whether the service sends the room's events here, as of its newest answer: a join may be answered
   * after the room was left and joined again.
   */
  #isJoined = false;
  /** The room's number when it was opened; null until it is loaded. */
  #openedAt: number | null = null;
  /** The message around which to load the history. */
  #around: string | null = null;

  readonly history: RoomHistory;
  readonly members: RoomMembers;
  readonly #joins: RoomJoins;

  constructor(private readonly deps: RoomSyncDeps) {
    this.#joins = new RoomJoins(deps);
    this.history = new RoomHistory({
      ...deps,
      fetchPage: (id, query, signal) =>
        deps.api.call(
          "GET /api/rooms/:id/messages",
          // Without the newest messages, the client cannot count what is unread itself.
          {
            params: { id },
            query: {
              ...query,
              joins: "true",
              ...(("at" in query || "around" in query) && { unread: "true" }),
            },
          },
          { signal },
        ),
      // A page of history does not contain who joined or left.
      onAhead: (roomId) => this.members.renew(roomId),
    });
    this.members = new RoomMembers({
      ...deps,
      isJoining: (roomId) => this.#joins.isPending && !this.#isJoined && roomId === this.#roomId,
    });
  }

  /**
   * Opens a room, and leaves the previous one.
   * @param around a message to open the history around; otherwise the newest messages, or those
   * already loaded
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
    this.#isJoined = false;
    this.#around = around && !this.#shows(roomId, around) ? around : null;
    const before = this.#view(roomId);
    const isBehind = !around && this.#lacksUnread(roomId);
    if (this.#around || isBehind) this.#change(roomId, unloaded);
    if (this.#join()) return;
    // Without a socket, the loaded messages are better than an error.
    if (isBehind) this.#change(roomId, before);
    // REST may work, or return an error to show.
    if (!this.#view(roomId).loaded) void this.#load(roomId, this.#around);
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

  /** Cancels everything, because nobody is signed in any more. */
  stop(): void {
    this.close();
    this.history.stop();
    this.members.stop();
  }

  /** Leaves the room while the page is hidden, and joins it again with the last applied number. */
  setHidden(hidden: boolean): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    if (!this.#roomId) return;
    this.#joins.isPending = false;
    if (hidden) this.deps.send({ type: "leave", room_id: this.#roomId });
    else this.#join();
  }

  reconnected(): void {
    this.#isJoined = false;
    this.#join();
  }

  /** Call when I was removed from a room and added again: its events arrive after the next join. */
  cameBack(roomId: string): void {
    if (roomId === this.#roomId) this.reconnected();
  }

  /** Call when I am no longer in a room. */
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

  /** Call before the event is applied. */
  onEvent(event: ServerEvent): void {
    if (event.type === "left" && event.room_id === this.#roomId) this.#isJoined = false;
    if (event.type === "joined") this.#onJoined(event.room_id, event.seq);
    if (event.type === "resync") {
      this.#change(event.room_id, { ...unloaded, seq: null });
      this.#join();
    }
    if (event.type.startsWith("member_")) this.members.onEvent(event);
    if (!isOfLog(event)) return;
    this.history.onEvent();
    const seq = this.deps.state.value.views[event.room_id]?.seq ?? null;
    const isGap = seq !== null && event.seq > seq + 1 && event.room_id === this.#roomId;
    // One join is enough, because its response includes everything until then.
    if (isGap && !this.#joins.isPending) this.#join();
  }

  onError(error: Extract<Answer, { type: "error" }>): void {
    // The error may be about the previous room.
    if ((error.room_id ?? this.#roomId) !== this.#roomId) return;
    // The room may have been deleted, or I may have been removed: the list of rooms then shows it.
    if (error.code === "room_not_found" || error.code === "not_a_member") this.#roomId = null;
    else this.#joins.retryLater(() => this.#join());
  }

  #load(roomId: string, around: string | null): Promise<void> {
    const membership = conversationById(this.deps.state.value, roomId)?.membership;
    // Rooms open at the first unread message.
    const newest: Around = membership?.unread ? { since: membership.last_read_at } : {};
    return this.history.load(roomId, around ? { around } : newest);
  }

  #join(): boolean {
    if (!this.#roomId || this.#hidden) return false;
    return this.#joins.send(this.#roomId, this.#view(this.#roomId));
  }

  /** Loads the history after the join, so that events in between are not lost. */
  #onJoined(roomId: string, seq: number): void {
    // The response is about a room that I have left again.
    if (roomId !== this.#roomId) return;
    this.#joins.isPending = false;
    this.#openedAt ??= seq;
    const view = this.#view(roomId);
    if (!view.loaded || view.seq === null) {
      this.#change(roomId, { seq });
      void this.#load(roomId, this.#around);
      this.#around = null;
    } else if (!this.#joins.hadNumber && view.seq < seq) {
      // A page of history arrived after the join was sent, so the events between them are missing.
      this.#join();
    }
    if (!this.#isJoined) this.members.renew(roomId);
    this.#isJoined = true;
  }

  /** Whether the first unread message, at which the room opens, is not loaded. */
  #lacksUnread(roomId: string): boolean {
    const { unread, last_read_at: readAt } =
      conversationById(this.deps.state.value, roomId)?.membership ?? {};
    const view = this.#view(roomId);
    return Boolean(
      unread && readAt && view.loaded && !scrollPositions.has(roomId) && !coversTime(view, readAt),
    );
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

/** Sends joins, one at a time. */
class RoomJoins {
  /** Whether a join waits for its response. */
  isPending = false;
  /** Whether the last join had a number, so that the service sends missed events. */
  hadNumber = false;
  #cancelRetry: () => void = () => {};

  constructor(private readonly deps: RoomJoinsDeps) {}

  /**
   * Joins with the last applied number, if the history is loaded.
   * @returns false without a connection
   */
  send(room_id: string, { seq, loaded }: Pick<RoomView, "seq" | "loaded">): boolean {
    const since = loaded && seq !== null ? { seq } : {};
    this.hadNumber = "seq" in since;
    this.isPending = this.deps.send({ type: "join", room_id, ...since });
    return this.isPending;
  }

  /**
   * Joins again after a delay, even if an earlier join has succeeded meanwhile, because joining
   * twice is harmless.
   */
  retryLater(join: () => void): void {
    this.#cancelRetry();
    this.#cancelRetry = this.deps.clock.after(RETRY_MS, join);
  }

  /** Ends the wait for a response, and the retry. */
  cancel(): void {
    this.isPending = false;
    this.#cancelRetry();
  }
}
