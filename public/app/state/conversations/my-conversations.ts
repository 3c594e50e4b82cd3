import { type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import { type Api, ApiError, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { withConversation } from "../events/apply-event.ts";
import { placesOf, type Received } from "../events/receive.ts";
import { type Conversation, toConversation } from "../model/conversation.ts";
import { isUnreadUnknown } from "../model/ledger.ts";
import { Load } from "../load.ts";
import { conversationById, type State, withoutRoom, ledgerOf } from "../model/model.ts";
import { countMentions } from "../personal/personal.ts";
import { forgetRead } from "../model/unread.ts";
import { isForMembers, type MemberEvent } from "../../../../src/wire/event-kinds.ts";

type Kind = Conversation["kind"];

type MyConversationsDeps = {
  api: Api;
  clock: Clock;
  state: Signal<State>;
  /** A response, rather than an event, showed that I am no longer in a conversation. */
  onGone(roomId: string): void;
  /** A response, rather than an event, changed the number of unread mentions of a room. */
  onMentionsChanged(): void;
};

/** A response about a conversation; the room is null if I am not in it. */
type ConversationResponse = { id: string; kind: Kind; room: Conversation | null };

/**
 * The rooms and direct conversations that I am in, and their ledgers. Responses about a
 * conversation are ordered by its log number. Whether I am in it has no number: if that changes
 * while a request is in flight, the conversation is loaded again afterwards.
 */
export class MyConversations {
  /** The id of the direct conversation in the page's address, if I am not in it. */
  readonly unknownDirect: Signal<string | null> = signal(null);
  readonly #listLoad: Load<Conversation[]>;
  readonly #conversationLoad: Load<ConversationResponse>;
  /** Conversations that I joined or left since the list was requested. */
  #changedIds = new Set<string>();
  /** Conversations to load one after the other. */
  readonly #queue = new Map<string, Kind>();
  #requestedId: string | null = null;
  /**
   * Conversations that I was removed from, with the number of the removal, until I join them again.
   */
  readonly #removals = new Map<string, number | null>();

  constructor(private readonly deps: MyConversationsDeps) {
    const { api, clock } = deps;
    this.#listLoad = new Load({
      clock,
      fetch: (signal) => {
        this.#changedIds = new Set();
        return loadList(api, signal);
      },
      merge: (all) => this.#mergeAll(all),
    });
    this.#conversationLoad = new Load({
      clock,
      fetch: (signal) => this.#fetchNext(signal),
      merge: (response) => this.#mergeNext(response),
    });
  }

  /** Loads the list again, because events may have been missed. */
  load(): void {
    // The first response is shown, and then replaced by a newer one.
    if (this.#conversations) this.#listLoad.refreshNow();
    else this.#listLoad.refresh();
  }

  stop(): void {
    this.#listLoad.cancel();
    this.#conversationLoad.cancel();
    this.#queue.clear();
    this.#removals.clear();
  }

  /**
   * Loads a direct conversation again, or one that is not in the list because it is hidden or not
   * mine.
   */
  loadDirect(id: string): void {
    this.unknownDirect.value = null;
    if (!this.#removals.has(id)) this.#enqueue(id, "direct");
  }

  /** Loads a direct conversation again, because a list that is on its way may be older than an event. */
  renewDirect(id: string): void {
    this.#changedIds.add(id);
    this.loadDirect(id);
  }

  /**
   * Whether a request about this conversation is in flight; its response may be older than events
   * that have arrived since.
   */
  isLoading(roomId: string): boolean {
    return (
      this.#listLoad.isUnderWay ||
      (this.#conversationLoad.isUnderWay && this.#requestedId === roomId)
    );
  }

  /**
   * Call when a response is merged. I may have been removed from its conversations since the request.
   */
  onResponse(received: Received): void {
    // Its request may be from before a reconnect, so that events since then were missed.
    const hasReconnected = received.events.some(({ type }) => type === "hello");
    for (const { id, kind, membership } of placesOf(received).map(toConversation)) {
      if (membership && this.#conversations && !ledgerOf(this.#state, id)) {
        this.#enqueue(id, kind);
        continue;
      }
      this.#removals.delete(id);
      this.#change(id);
      if (hasReconnected) this.#enqueue(id, kind);
    }
  }

  /** Call when an event is applied. */
  onEvent(event: ServerEvent): void {
    const added =
      event.type === "room_added"
        ? event.room.id
        : event.type === "direct_added" || event.type === "direct_updated"
          ? event.direct.id
          : null;
    if (added !== null) {
      this.#removals.delete(added);
      this.#change(added);
    } else if (event.type === "room_removed") {
      if (!ledgerOf(this.#state, event.room_id))
        this.#rememberRemoval(event.room_id, event.room_seq);
      this.#change(event.room_id);
    } else if (isForMembers(event) && this.#mustLoad(event))
      this.#enqueue(event.room_id, "kind" in event ? event.kind : "room");
  }

  /** The response to a request in flight may be outdated. */
  #change(roomId: string): void {
    this.#changedIds.add(roomId);
    if (roomId === this.#requestedId) this.#enqueue(roomId, "room");
  }

  #rememberRemoval(roomId: string, seq: number | null): void {
    this.#removals.set(roomId, seq);
    const [oldest] = this.#removals.keys();
    if (this.#removals.size > MAX_LEFT && oldest) this.#removals.delete(oldest);
  }

  /**
   * Whether an event shows that one of my conversations, or its unread messages, must be loaded.
   * Events of a log arrive only for open rooms, and a direct conversation is loaded before it is
   * opened.
   */
  #mustLoad(event: MemberEvent): boolean {
    const { room_id } = event;
    const ledger = ledgerOf(this.#state, room_id);
    if (ledger) return isUnreadUnknown(ledger, this.#state.me?.id);
    return this.#conversations !== null && !this.#removals.has(room_id);
  }

  /** @param kind of a conversation that is not in the list */
  #enqueue(id: string, kind: Kind): void {
    this.#queue.set(id, conversationById(this.#state, id)?.kind ?? kind);
    this.#conversationLoad.refresh();
  }

  #mergeAll(all: Conversation[]): void {
    const existing = this.#conversations ?? {};
    const listed = new Map(all.map(({ id, kind }) => [id, kind]));
    // A conversation that moves between two pages of the list may be missing from both.
    for (const id of Object.keys(existing)) if (!listed.has(id)) this.#changedIds.add(id);
    // The request in flight may return an older version of the conversation than this list has.
    const requestedKind = this.#requestedId === null ? undefined : listed.get(this.#requestedId);
    if (this.#requestedId !== null && requestedKind)
      this.#queue.set(this.#requestedId, requestedKind);
    const before = this.#state;
    let state = this.#conversations ? before : { ...before, conversations: {} };
    for (const room of all) {
      // Read marks of this page may not have reached the service; what is still on the screen is
      // marked as read again.
      if (!this.#changedIds.has(room.id))
        state = withConversation(forgetRead(state, room.id), room);
    }
    this.#set(state);
    const isOther = (id: string) => countMentions(before, id) !== countMentions(state, id);
    if (Object.keys(existing).some(isOther)) this.deps.onMentionsChanged();
    for (const id of this.#changedIds) this.#enqueue(id, listed.get(id) ?? "room");
  }

  async #fetchNext(signal: AbortSignal): Promise<ConversationResponse> {
    const [[id, kind] = ["", "room" as Kind]] = this.#queue;
    this.#queue.delete(id);
    this.#requestedId = id;
    try {
      return { id, kind, room: await loadOne(this.deps.api, id, kind, signal) };
    } catch (error) {
      if (error instanceof ApiError && error.code === "room_not_found") {
        return { id, kind, room: null };
      }
      // Request the conversation again.
      this.#queue.set(id, kind);
      throw error;
    }
  }

  #mergeNext({ id, kind, room }: ConversationResponse): void {
    this.#requestedId = null;
    // Loaded once more if I joined or left it during the request.
    if (!this.#queue.has(id)) {
      if (room) this.#removals.delete(id);
      const before = countMentions(this.#state, id);
      const current = conversationById(this.#state, id);
      if (room) this.#set(withConversation(this.#state, room));
      // A direct conversation that has become a room still exists.
      else if (!current || current.kind === kind) {
        this.#set(withoutRoom(this.#state, id));
        this.deps.onGone(id);
        if (kind === "direct") this.unknownDirect.value = id;
      }
      if (countMentions(this.#state, id) !== before) this.deps.onMentionsChanged();
      const ledger = ledgerOf(this.#state, id);
      if (room && ledger && isUnreadUnknown(ledger, this.#state.me?.id))
        this.#queue.set(id, room.kind);
    }
    if (this.#queue.size > 0) this.#conversationLoad.refresh();
  }

  get #conversations(): State["conversations"] {
    return this.#state.conversations;
  }

  get #state(): State {
    return this.deps.state.value;
  }

  #set(state: State): void {
    this.deps.state.value = state;
  }
}

/**
 * How many left conversations are remembered. For older ones, the response to a request in flight
 * is trusted.
 */
const MAX_LEFT = 500;

async function loadList(api: Api, signal: AbortSignal): Promise<Conversation[]> {
  const [rooms, directs] = await Promise.all([
    getAll(api, "GET /api/rooms", { query: { all: "true" } }, signal),
    getAll(api, "GET /api/direct", {}, signal),
  ]);
  return [...rooms, ...directs].map(toConversation);
}

/** @returns null if I am not in it */
async function loadOne(
  api: Api,
  id: string,
  kind: Kind,
  signal: AbortSignal,
): Promise<Conversation | null> {
  const input = { params: { id } };
  if (kind === "direct")
    return toConversation(await api.call("GET /api/direct/:id", input, { signal }));
  const room = await api.call("GET /api/rooms/:id", input, { signal });
  return room.membership ? toConversation(room) : null;
}
