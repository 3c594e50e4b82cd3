import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import { type Api, ApiError, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { type Loaded, placesOf, type Received } from "../events/receive.ts";
import { type Conversation, toConversation } from "../model/conversation.ts";
import { isUnreadUnknown } from "../model/ledger.ts";
import { type Journal, Load } from "../load.ts";
import { conversationById, type State, ledgerOf } from "../model/model.ts";
import { isForMembers, type MemberEvent } from "../../../../src/wire/event-kinds.ts";

type Kind = Conversation["kind"];

type MyConversationsDeps = {
  api: Api;
  clock: Clock;
  journal: Journal;
  state: ReadonlySignal<State>;
  receive(source: Loaded): void;
  /** A response, rather than an event, showed that I am no longer in a conversation. */
  onGone(roomId: string): void;
};

/** A response about a conversation; the room is null if I am not in it. */
type ConversationResponse = { id: string; kind: Kind; room: Conversation | null };

/** In place of an id in the queue. */
const LIST = "list";

/**
 * The rooms and direct conversations that I am in, and their ledgers. Responses about a
 * conversation are ordered by its log number. Whether I am in it, and who is online, has no number:
 * the events since the request are applied to the response. The list and single conversations are
 * loaded one after the other, so that the newest response was also read last.
 */
export class MyConversations {
  /** The id of the direct conversation in the page's address, if I am not in it. */
  readonly unknownDirect: Signal<string | null> = signal(null);
  readonly #load: Load<Conversation[] | ConversationResponse>;
  /** What to load: the list, or conversations. */
  readonly #queue = new Map<string, Kind>();
  #requested: [id: string, kind: Kind] | null = null;
  /**
   * Conversations that I was removed from, with the number of the removal, until I join them again.
   */
  readonly #removals = new Map<string, number | null>();

  constructor(private readonly deps: MyConversationsDeps) {
    const { clock, journal } = deps;
    this.#load = new Load<Conversation[] | ConversationResponse>({
      clock,
      journal,
      fetch: (signal) => this.#fetchNext(signal),
      merge: (response, events) => {
        this.#requested = null;
        if ("id" in response) this.#mergeOne(response, events);
        else this.#mergeAll(response, events);
        if (this.#queue.size > 0) this.#load.refresh();
      },
    });
  }

  /** Loads the list again, because events may have been missed. */
  load(): void {
    this.#queue.set(LIST, "room");
    if (this.#requested) this.#queue.set(...this.#requested);
    // The first response is shown, and then replaced by a newer one.
    if (this.#conversations) this.#load.refreshNow();
    else this.#load.refresh();
  }

  stop(): void {
    this.#load.cancel();
    this.#requested = null;
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

  /**
   * Call when a response is merged. I may have been removed from its conversations since the request.
   */
  onResponse(received: Received): void {
    // Its request may be from before a reconnect, so that events since then were missed.
    const hasReconnected = received.events.some(({ type }) => type === "hello");
    for (const { id, kind, membership } of placesOf(received).map(toConversation)) {
      const isMissing = membership !== null && !ledgerOf(this.#state, id);
      if (!isMissing) this.#removals.delete(id);
      if (isMissing || hasReconnected || this.#isUncounted(id)) this.#enqueue(id, kind);
    }
    if (received.route === "POST /api/rooms/:id/unread") {
      const { id } = (received.input as { params: { id: string } }).params;
      if (this.#isUncounted(id)) this.#enqueue(id, "room");
    }
  }

  /** Call when an event is applied. */
  onEvent(event: ServerEvent): void {
    if (event.type === "room_added") this.#removals.delete(event.room.id);
    else if (event.type === "direct_added" || event.type === "direct_updated")
      this.#removals.delete(event.direct.id);
    else if (event.type === "room_removed") {
      if (!ledgerOf(this.#state, event.room_id))
        this.#rememberRemoval(event.room_id, event.room_seq);
    } else if (event.type === "read") {
      if (this.#isUncounted(event.room_id)) this.#enqueue(event.room_id, "room");
    } else if (isForMembers(event) && this.#mustLoad(event))
      this.#enqueue(event.room_id, "kind" in event ? event.kind : "room");
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
    if (ledgerOf(this.#state, room_id)) return this.#isUncounted(room_id);
    if (this.#conversations === null) return false;
    if (!this.#removals.has(room_id)) return true;
    // A later event than the removal may overtake the one that adds me again.
    const removedAt = this.#removals.get(room_id) ?? Number.POSITIVE_INFINITY;
    return ("room_seq" in event ? event.room_seq : event.seq) > removedAt;
  }

  /** Whether what is unread in a conversation must be loaded, after any change of its ledger. */
  #isUncounted(roomId: string): boolean {
    const ledger = ledgerOf(this.#state, roomId);
    return ledger !== undefined && isUnreadUnknown(ledger, this.#state.me?.id);
  }

  /** @param kind of a conversation that is not in the list */
  #enqueue(id: string, kind: Kind): void {
    this.#queue.set(id, conversationById(this.#state, id)?.kind ?? kind);
    this.#load.refresh();
  }

  async #fetchNext(signal: AbortSignal): Promise<Conversation[] | ConversationResponse> {
    const [[first, kind] = [LIST, "room" as Kind]] = this.#queue;
    const id = this.#queue.has(LIST) ? LIST : first;
    this.#queue.delete(id);
    this.#requested = [id, kind];
    const { api } = this.deps;
    try {
      if (id === LIST) return await loadList(api, signal);
      return { id, kind, room: await loadOne(api, id, kind, signal) };
    } catch (error) {
      if (id !== LIST && error instanceof ApiError && error.code === "room_not_found") {
        return { id, kind, room: null };
      }
      // Request it again.
      this.#queue.set(id, kind);
      throw error;
    }
  }

  #mergeAll(all: Conversation[], events: readonly ServerEvent[]): void {
    this.deps.receive({ conversations: all, events });
    const listIds = new Set(all.map(({ id }) => id));
    // A conversation that moves between two pages of the list may be missing from both.
    for (const { id, kind } of Object.values(this.#conversations ?? {}))
      if (!listIds.has(id) || this.#isUncounted(id)) this.#queue.set(id, kind);
  }

  #mergeOne({ id, kind, room }: ConversationResponse, events: readonly ServerEvent[]): void {
    const current = conversationById(this.#state, id);
    // A direct conversation that has become a room still exists.
    if (!room && current && current.kind !== kind) return;
    this.deps.receive({ id, conversation: room, events });
    const ledger = ledgerOf(this.#state, id);
    if (ledger) {
      this.#removals.delete(id);
      if (this.#isUncounted(id)) this.#queue.set(id, ledger.room.kind);
    } else if (!room) {
      this.deps.onGone(id);
      if (kind === "direct") this.unknownDirect.value = id;
    }
  }

  get #conversations(): State["conversations"] {
    return this.#state.conversations;
  }

  get #state(): State {
    return this.deps.state.value;
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
