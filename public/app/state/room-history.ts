import type { Signal } from "@preact/signals";
import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";
import type { History, Member, Message } from "../../../src/wire/models.ts";
import { type Api, ApiError, getAll } from "../connection/api.ts";
import { insert } from "./apply-event.ts";
import { withMembers } from "./people.ts";
import { emptyView, type RoomView, type State, withView } from "./model.ts";

/** What a piece of history is around: a message, or a time as RFC 3339 has it; else it is the newest. */
export type Around = { around: string } | { at: string } | Record<string, never>;

export type RoomHistoryDeps = {
  api: Api;
  state: Signal<State>;
  /** The message of an address is not there, or not any more. */
  onMissing(): void;
  /** Events of the room wait while a piece is under way. */
  hold(): void;
  release(): void;
};

/** What the service keeps ready for the newest. */
const PAGE = DEFAULT_PAGE;
/** Refusals of an address whose message is not there, or could never be. */
const NO_MESSAGE = new Set<string>(["message_not_found", "validation"]);

/** Loads pieces of rooms' histories into their views. */
export class RoomHistory {
  #loading: Promise<void> | null = null;

  constructor(private readonly deps: RoomHistoryDeps) {}

  /** Loads a piece that takes the place of what is known. What goes wrong is kept with the view. */
  load(roomId: string, where: Around = {}): Promise<void> {
    return this.#once(this.#load(roomId, where));
  }

  /**
   * Loads around a time, unless that is known already.
   * @returns the first message at or after it, else the newest; null where there is none
   * @throws ApiError, with the view as it was
   */
  async loadAt(roomId: string, at: string): Promise<Message | null> {
    if (!covers(this.#view(roomId), at)) await this.#once(this.#read(roomId, { at }));
    const { messages } = this.#view(roomId);
    return messages.find((message) => message.created_at >= at) ?? messages.at(-1) ?? null;
  }

  /** Loads what lies before the first, or after the last, that is known. */
  loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    return this.#loading ?? this.#once(this.#loadMore(roomId, direction));
  }

  async loadMembers(roomId: string): Promise<void> {
    const members = await getAll<Member>(this.deps.api, `/api/rooms/${roomId}/members`);
    this.deps.state.value = withMembers(this.deps.state.value, roomId, members);
  }

  /** One at a time: whoever wants more meanwhile gets this one. */
  #once(work: Promise<void>): Promise<void> {
    const loading = work.finally(() => {
      if (this.#loading === loading) this.#loading = null;
    });
    this.#loading = loading;
    return loading;
  }

  async #load(roomId: string, where: Around): Promise<void> {
    try {
      await this.#read(roomId, where);
    } catch (error) {
      if ("around" in where && error instanceof ApiError && NO_MESSAGE.has(error.code)) {
        this.deps.onMissing();
        return await this.#load(roomId, {});
      }
      this.#change(roomId, { problem: toProblem(error) });
    }
  }

  async #read(roomId: string, where: Around): Promise<void> {
    this.deps.hold();
    try {
      const history = await this.#page(roomId, where);
      this.#change(roomId, {
        messages: history.items,
        hasBefore: history.has_more_before,
        hasAfter: history.has_more_after,
        loaded: true,
        problem: null,
        stuck: null,
      });
    } finally {
      this.deps.release();
    }
  }

  async #loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    const view = this.#view(roomId);
    const edge = direction === "before" ? view.messages[0] : view.messages.at(-1);
    if (!edge) return;
    if (view.stuck) this.#change(roomId, { stuck: null });
    try {
      const history = await this.#page(roomId, { [direction]: edge.id });
      const now = this.#view(roomId);
      // It was loaded anew meanwhile: this piece does not adjoin.
      if (!now.messages.some((message) => message.id === edge.id)) return;
      const messages = history.items.reduce(insert, now.messages);
      const more =
        direction === "before"
          ? { hasBefore: history.has_more_before }
          : { hasAfter: history.has_more_after };
      this.#change(roomId, { messages, ...more });
    } catch (error) {
      this.#change(roomId, { stuck: { direction, problem: toProblem(error) } });
    }
  }

  #page(roomId: string, where: Record<string, string>): Promise<History> {
    const query = new URLSearchParams({ limit: String(PAGE), ...where });
    return this.deps.api.get<History>(`/api/rooms/${roomId}/messages?${query}`);
  }

  #view(roomId: string): RoomView {
    return this.deps.state.value.views[roomId] ?? emptyView;
  }

  #change(roomId: string, change: Partial<RoomView>): void {
    this.deps.state.value = withView(this.deps.state.value, roomId, change);
  }
}

/** Whether the first message at or after a time is known to be among a view's messages, or to be none. */
export function covers({ messages, hasBefore, hasAfter, loaded }: RoomView, at: string): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!loaded || !first || !last) return loaded;
  return (!hasBefore || first.created_at < at) && (!hasAfter || last.created_at >= at);
}

function toProblem(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError("not_answering");
}
