import { type Signal, signal } from "@preact/signals";
import { expect } from "bun:test";
import { realClock } from "../../public/app/connection/clock.ts";
import { DeviceDrafts, indexDrafts } from "../../public/app/state/drafts/device-drafts.ts";
import { DraftSync } from "../../public/app/state/drafts/draft-sync.ts";
import type { DraftMark } from "../../public/app/state/model/draft-copy.ts";
import {
  conversationById,
  emptyState,
  type Personal,
  type State,
} from "../../public/app/state/model/model.ts";
import { withDrafts } from "../../public/app/state/personal/personal.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import type { Client } from "./client.ts";
import { openStore, until } from "./store.ts";
import { Tabs } from "./tabs.ts";

const STEP_MS = 5;
const PATIENCE_MS = 5_000;

/** What a page loads after its first paint, on a device of its own: what is saved, planned and drafted. */
export class Kept {
  readonly drafts: DraftSync;
  /** Texts of drafts whose room was deleted. */
  readonly deleted: string[] = [];
  readonly #device: DeviceDrafts;
  /** Where the device has drafts: of the state, nothing else is in here. */
  readonly #index: Signal<State>;

  /** @param store of a page of this person, who is signed in */
  constructor(
    private readonly store: Store,
    private readonly client: Client,
  ) {
    this.#device = new DeviceDrafts(new Tabs().open().storage, client.user.id, Date.now);
    this.#index = signal({ ...emptyState, personal: { ...emptyState.personal, drafts: {} } });
    indexDrafts(this.#index, this.#device, (marks) => {
      this.#index.value = withDrafts(this.#index.value, marks);
    });
    this.drafts = new DraftSync({
      api: store.api,
      clock: realClock,
      drafts: this.#device,
      device: "computer",
      newId: () => crypto.randomUUID(),
      isWriting: () => false,
      isPosting: (id) => store.unsent.value.some(({ client_id }) => client_id === id),
      onAttachments: () => {},
      hasRoom: (id) =>
        !store.state.value.conversations || conversationById(store.state.value, id) !== undefined,
      onDeleted: (text) => void this.deleted.push(text),
    });
    store.onEvent((event) => this.drafts.onEvent(event));
    this.drafts.load();
    store.lists.loadWhole();
  }

  get personal(): Personal {
    return this.store.state.value.personal;
  }

  get isLoaded(): boolean {
    return this.personal.saved !== null && this.personal.scheduled !== null;
  }

  isSaved(messageId: string): boolean {
    return this.personal.saved?.ids.has(messageId) === true;
  }

  /** The drafts of this device. */
  get marks(): DraftMark[] {
    return Object.values(this.#index.value.personal.drafts ?? {});
  }

  draft(roomId: string): string {
    return this.#device.read(roomId).here.content;
  }

  /** Writes in a room, and leaves it, so that it is saved at once. */
  write(roomId: string, text: string): void {
    this.drafts.write(roomId, { content: text });
    this.drafts.left(roomId);
  }

  /** Where the service does not take what was written here: that is on this device alone. */
  get refusedKeys(): string[] {
    return this.marks.filter(({ problem }) => problem !== null).map(({ key }) => key);
  }

  /** What a screen shows of it, without these drafts. */
  visible(leftOut = this.refusedKeys) {
    const { saved, scheduled } = this.personal;
    // The names of rooms that I am in are those of the list of rooms.
    const planned = Object.values(scheduled ?? {}).map((item) => ({
      ...item,
      room: item.room?.id ?? null,
    }));
    const written = this.marks
      .filter(({ key }) => !leftOut.includes(key))
      .map(({ key, offer }) => {
        return { key, body: this.#device.read(key).here, offer: offer?.content ?? null };
      });
    return {
      saved: saved && { due: saved.due, ids: [...saved.ids].sort() },
      scheduled: scheduled && planned.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      drafts: written.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    };
  }

  /** Waits until it holds; fails with what is shown. */
  async until(holds: () => boolean): Promise<void> {
    for (let waited = 0; !holds(); waited += STEP_MS) {
      if (waited > PATIENCE_MS) throw new Error(JSON.stringify(this.visible()));
      await Bun.sleep(STEP_MS);
    }
  }

  /** Expects that a device which loads everything now shows the same. */
  async expectFresh(): Promise<void> {
    const { base, cookie } = this.client;
    const page = openStore(
      () => base,
      () => cookie ?? "",
    );
    await page.start();
    await until(page, ({ conversations }) => conversations !== null);
    const fresh = new Kept(page, this.client);
    const wanted = () => fresh.visible(this.refusedKeys);
    const isSame = () => fresh.isLoaded && Bun.deepEquals(wanted(), this.visible());
    await this.until(isSame).catch(() => {});
    expect(this.visible()).toEqual(wanted());
    fresh.drafts.stop();
    page.close();
  }
}
