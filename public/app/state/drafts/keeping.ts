import { type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import { type Api, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { DraftSyncDeps } from "./draft-deps.ts";
import { DraftSync } from "./draft-sync.ts";
import { KeyedList } from "../keyed-list.ts";

type KeepingDeps = DraftSyncDeps & { api: Api; clock: Clock };

/** My saved messages, scheduled messages and drafts. They are loaded after the first paint. */
export class Keeping {
  /** The ids of the messages that I have saved and not done. */
  readonly saved: KeyedList<true>;
  /** How many of them have a due reminder. */
  readonly due: Signal<number> = signal(0);
  readonly scheduled: KeyedList<Scheduled>;
  readonly drafts: DraftSync;
  /** Counts events about saved messages, so that open lists know when to load again. */
  readonly changes: Signal<number> = signal(0);

  constructor(deps: KeepingDeps) {
    const { api, clock } = deps;
    this.saved = new KeyedList({
      clock,
      fetch: async (signal) => {
        const { ids, due_count } = await api.call("GET /api/saved/ids", {}, { signal });
        this.due.value = due_count;
        return ids.map((id) => [id, true]);
      },
    });
    this.scheduled = new KeyedList({
      clock,
      fetch: async (signal) => {
        const all = await getAll(api, "GET /api/scheduled", {}, signal);
        return all.map((item) => [item.id, item]);
      },
    });
    this.drafts = new DraftSync(deps);
  }

  /** Loads everything: something may have been missed. */
  load(): void {
    this.saved.load();
    this.scheduled.load();
    this.drafts.load();
  }

  stop(): void {
    this.saved.stop();
    this.scheduled.stop();
    this.drafts.stop();
  }

  hear(event: ServerEvent): void {
    if (event.type === "hello") this.load();
    else if (event.type === "saved") {
      this.saved.hear(event.message_id, event.saved && !event.saved.done_at ? true : null);
      // Which of them are due is only in an answer.
      this.#askSaved();
    } else if (event.type === "scheduled") this.scheduled.hear(event.id, event.scheduled);
    else if (event.type === "scheduled_failed") this.scheduled.ask();
    else if (event.type === "draft") this.drafts.hear(event);
    else if (event.type === "room_added" || event.type === "room_removed") {
      // Entries of rooms that I have left are hidden until I am back.
      this.#askSaved();
      this.scheduled.ask();
      this.drafts.load();
    } else if (isDeletion(event) && this.saved.items.value?.has(event.message_id)) this.#askSaved();
  }

  #askSaved(): void {
    this.saved.ask();
    this.changes.value += 1;
  }
}

type Deletion = Extract<ServerEvent, { type: "message_delete" | "unread_changed" }>;
function isDeletion(event: ServerEvent): event is Deletion {
  return event.type === "message_delete" || (event.type === "unread_changed" && event.is_deleted);
}
