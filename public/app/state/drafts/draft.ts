import { type Signal, signal } from "@preact/signals";
import type { DeviceDrafts } from "./device-drafts.ts";

/** How long after the last key the person counts as typing. */
const TYPING_MS = 3_000;

/**
 * A draft as one tab shows it. It follows what other tabs of this browser write and send, and what comes from other
 * devices, except while the person types here: then the text of this tab wins, in the other tabs too.
 */
export class Draft {
  readonly text: Signal<string>;
  /** The edit of the text that is shown. */
  #edit: number;
  #typedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param store stores a text in `drafts`
   * @param now in ms
   */
  constructor(
    private readonly drafts: DeviceDrafts,
    private readonly key: string,
    private readonly store: (text: string) => void,
    private readonly now: () => number,
  ) {
    const { here, edit } = drafts.read(key);
    this.text = signal(here.content);
    this.#edit = edit;
  }

  /** The person has changed the text, or sent it. */
  write(text: string): void {
    this.text.value = text;
    this.#typedAt = text ? this.now() : Number.NEGATIVE_INFINITY;
    this.store(text);
    this.#edit = this.drafts.read(this.key).edit;
  }

  /**
   * The draft was stored, or may have been.
   * @param before the text that it replaced; undefined where that is not known
   */
  follow(before?: string): void {
    const { here, edit } = this.drafts.read(this.key);
    const text = this.text.peek();
    if (here.content === text) {
      this.#edit = edit;
      return;
    }
    // The other tab continued from the very text of this one, as it does to send it. A lower edit is what a tab
    // has stored again that did not have the last words yet.
    const isNext = before === text && (edit > this.#edit || edit === 0);
    if (!isNext && this.now() - this.#typedAt < TYPING_MS) this.write(text);
    else {
      this.text.value = here.content;
      this.#edit = edit;
    }
  }
}
