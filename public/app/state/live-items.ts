import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { Api } from "../connection/api.ts";
import { conversationById, type State } from "./model/model.ts";

/** Changes to the messages of an open list since it was loaded. */
type Changes = {
  /** By id; null for deleted messages. */
  messages: ReadonlyMap<string, Message | null>;
  lostRooms: ReadonlySet<string>;
};

/** How an item of a list shows a message. */
export type MessageOf<Item> = {
  /** Null for an item that has no such message. */
  read(item: Item): Message | null | undefined;
  write(item: Item, message: Message): Item;
  /** Returns the item without its message, which is deleted. Without this, the item leaves the list. */
  clear?(item: Item): Item;
};

export function messageField<Item extends { message: Message }>(): MessageOf<Item> {
  return { read: ({ message }) => message, write: (item, message) => ({ ...item, message }) };
}

/** Follows the messages that an open list shows, which may be of any room. */
export class LiveItems {
  readonly #messages = signal<Changes["messages"]>(new Map());
  /** Rooms that I have left since the list was loaded. */
  readonly #leftRooms = signal<Changes["lostRooms"]>(new Set());
  /** A room in the state is not lost: I have rejoined it, even if the event was missed. */
  readonly changes = computed<Changes>(() => {
    const left = [...this.#leftRooms.value];
    const lost = left.filter((id) => !conversationById(this.store.state.value, id));
    return { messages: this.#messages.value, lostRooms: new Set(lost) };
  });
  /** The newest request of each message: an event or a later request overrides its response. */
  readonly #requests = new Map<string, Promise<Message>>();

  /** @param isShown whether the list has a message */
  constructor(
    private readonly store: { readonly api: Api; readonly state: ReadonlySignal<State> },
    private readonly isShown: (messageId: string) => boolean,
  ) {}

  onEvent(event: ServerEvent): void {
    if (event.type === "room_removed")
      this.#leftRooms.value = new Set([...this.#leftRooms.peek(), event.room_id]);
    const id = changedId(event);
    if (id === null || !this.isShown(id)) return;
    if (event.type === "message_update") this.#set(id, event.message);
    else if (event.type === "message_delete") this.#set(id, null);
    else if (event.type === "unread_changed" && event.is_deleted) this.#set(id, null);
    else void this.#read(id);
  }

  /** Loads a message, because the event of a room that is not open lacks its content. */
  async #read(id: string): Promise<void> {
    const request = this.store.api.call("GET /api/messages/:id", { params: { id } });
    this.#requests.set(id, request);
    const message = await request.catch(() => null);
    if (message && this.#requests.get(id) === request) this.#set(id, message);
  }

  #set(id: string, message: Message | null): void {
    this.#requests.delete(id);
    this.#messages.value = new Map(this.#messages.peek()).set(id, message);
  }
}

export function applyLive<Item>(
  items: Item[],
  { messages, lostRooms }: Changes,
  { read, write, clear }: MessageOf<Item>,
): Item[] {
  return items.flatMap((item) => {
    const loaded = read(item);
    if (!loaded) return item;
    const message = messages.get(loaded.id);
    if (lostRooms.has(loaded.room_id)) return [];
    if (message === null) return clear?.(item) ?? [];
    return message && isNewer(message, loaded) ? write(item, message) : item;
  });
}

/** Whether a message is newer than the list's, which may have been loaded after the event. */
function isNewer(message: Message, loaded: Message): boolean {
  return (message.edited_at ?? "") >= (loaded.edited_at ?? "");
}

const ABOUT = ["message_delete", "unread_changed", "thread"] as const;

function changedId(event: ServerEvent): string | null {
  if (event.type === "message_update") return event.message.id;
  return "message_id" in event && ABOUT.some((type) => type === event.type)
    ? event.message_id
    : null;
}
