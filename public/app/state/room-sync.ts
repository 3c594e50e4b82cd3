import type { Signal } from "@preact/signals";
import type { Answer, RoomEvent, ServerEvent } from "../../../src/wire/events.ts";
import type { Frame } from "../../../src/wire/frames.ts";
import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";
import type { History, Member } from "../../../src/wire/models.ts";
import { type Api, ApiError, getAll } from "../connection/api.ts";
import { insert } from "./apply-event.ts";
import { emptyView, type RoomView, type State, withView } from "./model.ts";
import { withMembers } from "./people.ts";

export type RoomSyncDeps = {
  api: Api;
  state: Signal<State>;
  send(frame: Frame): boolean;
  apply(event: ServerEvent): void;
  /** The message of an address is not there, or not any more. */
  onMissing(): void;
};

/** What the service keeps ready for the newest. */
const PAGE = DEFAULT_PAGE;
/** Refusals of an address whose message is not there, or could never be. */
const NO_MESSAGE = new Set<string>(["message_not_found", "validation"]);

/**
 * Keeps the one room that is looked at in step with the service: joins it with the last number
 * that is known, holds back events while history is being loaded, and asks again when a number is
 * missing.
 */
export class RoomSync {
  /** The room that is looked at. */
  #roomId: string | null = null;
  /** Events that came while the history was under way: applied after it. */
  #held: RoomEvent[] | null = null;
  #loading: Promise<void> | null = null;
  #hidden = false;
  #joining = false;
  /** What the history is to be opened around. */
  #around: string | null = null;

  constructor(private readonly deps: RoomSyncDeps) {}

  /**
   * Looks at a room; the one before is left.
   * @param around a message to open the history around; else the newest, or what is known
   */
  open(roomId: string, around: string | null = null): void {
    if (this.#roomId === roomId) {
      if (around && !this.#shows(roomId, around)) void this.load(roomId, around);
      return;
    }
    this.close();
    this.#roomId = roomId;
    this.#around = around && !this.#shows(roomId, around) ? around : null;
    if (this.#around) this.#change(roomId, { loaded: false, messages: [] });
    // Without a connection there is still REST, or at least a reason to show.
    if (!this.#join() && !this.#view(roomId).loaded) void this.load(roomId, this.#around);
  }

  close(): void {
    if (this.#roomId) this.deps.send({ type: "leave", room_id: this.#roomId });
    this.#roomId = null;
    this.#held = null;
  }

  /** A hidden page leaves its room, and comes back with the number that it holds. */
  setHidden(hidden: boolean): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    if (!this.#roomId) return;
    if (hidden) this.deps.send({ type: "leave", room_id: this.#roomId });
    else this.#join();
  }

  reconnected(): void {
    this.#join();
  }

  forget(roomId: string): void {
    if (this.#roomId === roomId) this.#roomId = null;
  }

  /** @returns true if the event was dealt with and is not to be applied */
  onEvent(event: ServerEvent): boolean {
    if (event.type === "joined") {
      this.#onJoined(event.room_id, event.seq);
      return true;
    }
    if (event.type === "resync") {
      this.#reset(event.room_id);
      return true;
    }
    if (!("seq" in event)) return false;
    if (this.#held && event.room_id === this.#roomId) {
      this.#held.push(event);
      return true;
    }
    const seq = this.deps.state.value.views[event.room_id]?.seq ?? null;
    if (seq !== null && event.seq > seq + 1 && event.room_id === this.#roomId) {
      // Asked for once; what comes until then is in the answer too.
      if (!this.#joining) this.#join();
      return true;
    }
    return false;
  }

  onError(error: Extract<Answer, { type: "error" }>): void {
    // The room may be gone or closed to us: the list says so.
    if (error.code === "room_not_found" || error.code === "not_a_member") this.#roomId = null;
  }

  /** Loads the newest messages, or those around one. What goes wrong is kept with the view. */
  load(roomId: string, around: string | null = null): Promise<void> {
    this.#held ??= [];
    const loading = this.#load(roomId, around ? `&around=${around}` : "").finally(() => {
      if (this.#loading === loading) this.#loading = null;
    });
    this.#loading = loading;
    return loading;
  }

  /** Loads what lies before the first, or after the last, that is known. */
  async loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    const view = this.#view(roomId);
    const anchor = direction === "before" ? view.messages[0] : view.messages.at(-1);
    if (!anchor || this.#loading) return this.#loading ?? undefined;
    const path = `/api/rooms/${roomId}/messages?limit=${PAGE}&${direction}=${anchor.id}`;
    const loading = this.deps.api
      .get<History>(path)
      .then((history) => {
        const now = this.#view(roomId);
        const messages = history.items.reduce(insert, now.messages);
        const more =
          direction === "before"
            ? { hasBefore: history.has_more_before }
            : { hasAfter: history.has_more_after };
        this.#change(roomId, { messages, ...more });
      })
      .finally(() => {
        this.#loading = null;
      });
    this.#loading = loading;
    return loading;
  }

  async loadMembers(roomId: string): Promise<void> {
    const members = await getAll<Member>(this.deps.api, `/api/rooms/${roomId}/members`);
    this.deps.state.value = withMembers(this.deps.state.value, roomId, members);
  }

  async #load(roomId: string, query: string): Promise<void> {
    try {
      const history = await this.deps.api.get<History>(
        `/api/rooms/${roomId}/messages?limit=${PAGE}${query}`,
      );
      this.#change(roomId, {
        messages: history.items,
        hasBefore: history.has_more_before,
        hasAfter: history.has_more_after,
        loaded: true,
        problem: null,
      });
    } catch (error) {
      if (query && error instanceof ApiError && NO_MESSAGE.has(error.code)) {
        this.deps.onMissing();
        return await this.#load(roomId, "");
      }
      const problem = error instanceof ApiError ? error : new ApiError("not_answering");
      this.#change(roomId, { problem });
    } finally {
      const held = this.#held ?? [];
      this.#held = null;
      for (const event of held) this.deps.apply(event);
    }
  }

  #join(): boolean {
    if (!this.#roomId || this.#hidden) return false;
    const { seq, loaded } = this.#view(this.#roomId);
    const since = loaded && seq !== null ? { seq } : {};
    this.#joining = this.deps.send({ type: "join", room_id: this.#roomId, ...since });
    return this.#joining;
  }

  /** History is loaded after the room is joined: what happens in between is then heard, not lost. */
  #onJoined(roomId: string, seq: number): void {
    this.#joining = false;
    const view = this.#view(roomId);
    if (!view.loaded || view.seq === null) {
      this.#change(roomId, { seq });
      void this.load(roomId, this.#around);
      this.#around = null;
    }
    if (view.members) this.#change(roomId, { membersStale: view.membersStale + 1 });
  }

  #shows(roomId: string, messageId: string): boolean {
    return this.#view(roomId).messages.some((message) => message.id === messageId);
  }

  #reset(roomId: string): void {
    this.#change(roomId, { seq: null, loaded: false });
    this.#join();
  }

  #view(roomId: string): RoomView {
    return this.deps.state.value.views[roomId] ?? emptyView;
  }

  #change(roomId: string, change: Partial<RoomView>): void {
    this.deps.state.value = withView(this.deps.state.value, roomId, change);
  }
}
