import { type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Message, MyRoom } from "../../../../src/wire/models.ts";
import type { Clock } from "../../connection/clock.ts";
import { applyEvent } from "../events/apply-event.ts";
import { conversationById, isAuthor, roomById, type State } from "../model/model.ts";
import type { MyActivity } from "../activity/my-activity.ts";
import type { MyConversations } from "../conversations/my-conversations.ts";
import { withPartners } from "../model/change-members.ts";
import type { MySections } from "../sidebar/my-sections.ts";
import type { RoomSync } from "../timeline/room-sync.ts";

type LiveEventsDeps = {
  clock: Clock;
  state: Signal<State>;
  conversations: MyConversations;
  sync: RoomSync;
  activity: MyActivity;
  sections: MySections;
};

type MemberUpdated = Extract<ServerEvent, { type: "member_updated" }>;

/** Applies the socket's events to the state, and shows toasts about some of them. */
export class LiveEvents {
  /** The room from which I was removed while it was open. */
  readonly lost: Signal<MyRoom | null> = signal(null);
  /** Called for each event as it arrives, perhaps before the event with the number before it. */
  readonly watchers = new Set<(event: ServerEvent) => void>();
  readonly #formerNames = new FormerNames();
  readonly #listeners = new Set<(message: Message) => void>();

  constructor(private readonly deps: LiveEventsDeps) {}

  apply(event: ServerEvent): void {
    const { clock, state, conversations, sync, activity, sections } = this.deps;
    for (const watch of this.watchers) watch(event);
    if (sync.onEvent(event)) return;
    if (event.type === "room_updated") this.#formerNames.note(state.value, event);
    const before = state.value;
    state.value = applyEvent(before, event, clock.now());
    // Requests since the removal may have been refused, even if its event never arrived.
    if (event.type === "room_added") sync.cameBack(event.room.id);
    if (event.type === "room_removed") {
      if (conversationById(state.value, event.room_id)) sync.cameBack(event.room_id);
      else {
        this.lost.value = roomById(before, event.room_id) ?? null;
        sync.forget(event.room_id);
      }
    }
    conversations.onEvent(event);
    activity.onEvent(before, event);
    sections.onEvent(event);
    if (event.type === "member_updated") this.#updatePartners(event);
    if (event.type === "message" && sync.isNews(event) && !isAuthor(state.value.me, event.message))
      for (const listener of this.#listeners) listener(event.message);
  }

  /** People of a conversation have changed. The event brings them; an older service only names them. */
  #updatePartners({ room_id, user_ids, members = null }: MemberUpdated): void {
    const { state, conversations } = this.deps;
    if (conversationById(state.value, room_id)?.kind !== "direct") return;
    const isBrought = user_ids && members && !conversations.isLoading(room_id);
    const next = isBrought ? withPartners(state.value, room_id, user_ids, members) : null;
    if (next) state.value = next;
    else conversations.wantDirect(room_id);
  }

  /**
   * Calls for each new message of somebody else in the open room, once it is in the state; not for
   * older messages that are loaded.
   * @returns a function that unsubscribes
   */
  onNews(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The room that was renamed from this name while the page was open. */
  roomFormerly(name: string): MyRoom | undefined {
    return roomById(this.deps.state.value, this.#formerNames.idOf(name));
  }
}

/** Earlier names of rooms while this page is open: an address with one still leads to the room. */
class FormerNames {
  readonly #ids = new Map<string, string>();

  /** @param state as it was before the event */
  note(state: State, event: Extract<ServerEvent, { type: "room_updated" }>): void {
    const room = roomById(state, event.room_id);
    if (room && room.name !== event.room.name) this.#ids.set(room.name, room.id);
  }

  /**
   * @param name a name, or an id as in the link of a notification
   * @returns the id of the room that had this name; otherwise `name` itself
   */
  idOf(name: string): string {
    return this.#ids.get(name) ?? name;
  }
}
