import { type Signal, signal } from "@preact/signals";
import type { Quote } from "../../../../src/wire/models.ts";
import { quoteOfDraft } from "../model/draft-copy.ts";
import type { DeviceDrafts } from "./device-drafts.ts";

/** How long after the last key the person counts as typing. */
const TYPING_MS = 3_000;

/**
 * A draft as shown in one tab. It follows changes by other tabs and devices, except while the
 * person types here: then the text of this tab wins, in the other tabs too.
 */
export class Draft {
  readonly text: Signal<string>;
  readonly quote: Signal<Quote | null>;
  /** The edit number of the displayed text. */
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
    const draft = drafts.read(key);
    this.text = signal(draft.here.content);
    this.quote = signal(quoteOfDraft(draft));
    this.#edit = draft.edit;
  }

  /** Call when the person has changed or sent the text. */
  write(text: string): void {
    this.text.value = text;
    this.#typedAt = text ? this.now() : Number.NEGATIVE_INFINITY;
    this.store(text);
    this.#edit = this.drafts.read(this.key).edit;
  }

  /**
   * Call when the draft was stored, or may have been.
   * @param before the text that it replaced; undefined if unknown
   */
  follow(before?: string): void {
    const draft = this.drafts.read(this.key);
    const { here, edit } = draft;
    const text = this.text.peek();
    this.quote.value = quoteOfDraft(draft);
    if (here.content === text) {
      this.#edit = edit;
      return;
    }
    // The other tab continued from this tab's text, for example to send it. A lower edit number
    // comes from a tab that stored the draft before it had the latest text.
    const isNext = before === text && (edit > this.#edit || edit === 0);
    if (!isNext && this.now() - this.#typedAt < TYPING_MS) this.write(text);
    else {
      this.text.value = here.content;
      this.#edit = edit;
    }
  }
}
