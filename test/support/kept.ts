import { expect } from "bun:test";
import { realClock } from "../../public/app/connection/clock.ts";
import { DeviceDrafts } from "../../public/app/state/drafts/device-drafts.ts";
import { Keeping } from "../../public/app/state/drafts/keeping.ts";
import { conversationById } from "../../public/app/state/model/model.ts";
import type { Store } from "../../public/app/state/store/client-store.ts";
import { Tabs } from "./tabs.ts";

const STEP_MS = 5;
const PATIENCE_MS = 5_000;

/** What a page loads after its first paint, on a device of its own: what is saved, planned and drafted. */
export class Kept {
  readonly keeping: Keeping;
  /** Texts of drafts whose room was deleted. */
  readonly deleted: string[] = [];
  readonly #drafts: DeviceDrafts;

  /** @param store of a page that is signed in */
  constructor(
    private readonly store: Store,
    private readonly userId: string,
  ) {
    this.#drafts = new DeviceDrafts(new Tabs().open().storage, userId, Date.now);
    this.keeping = new Keeping({
      api: store.api,
      clock: realClock,
      drafts: this.#drafts,
      device: "computer",
      newId: () => crypto.randomUUID(),
      isWriting: () => false,
      isPosting: (id) => store.unsent.value.some(({ client_id }) => client_id === id),
      onParts: () => {},
      hasRoom: (id) =>
        !store.state.value.conversations || conversationById(store.state.value, id) !== undefined,
      onDeleted: (text) => void this.deleted.push(text),
    });
    store.onEvent((event) => this.keeping.hear(event));
    this.keeping.load();
  }

  draft(roomId: string): string {
    return this.#drafts.read(roomId).here.content;
  }

  /** Writes in a room, and leaves it, so that it is saved at once. */
  write(roomId: string, text: string): void {
    this.keeping.drafts.written(roomId, text);
    this.keeping.drafts.left(roomId);
  }

  /** What a screen shows of it. */
  visible() {
    const { saved, due, scheduled, drafts } = this.keeping;
    // The names of rooms that I am in are those of the list of rooms.
    const planned = [...(scheduled.items.value?.values() ?? [])].map((item) => ({
      ...item,
      room: item.room?.id ?? null,
    }));
    // What the service does not take is on this device alone.
    const written = drafts.entries.value
      .filter(({ problem }) => problem === null)
      .map(({ key, body, offer }) => ({ key, body, offer: offer?.content ?? null }));
    return {
      saved: saved.items.value && [...saved.items.value.keys()].sort(),
      due: due.value,
      scheduled: scheduled.items.value && planned.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
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
    const fresh = new Kept(this.store, this.userId);
    const isSame = () => Bun.deepEquals(fresh.visible(), this.visible());
    await this.until(isSame).catch(() => {});
    expect(this.visible()).toEqual(fresh.visible());
    fresh.keeping.stop();
  }
}
