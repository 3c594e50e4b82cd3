import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";

const KEY = "snug.writing";

/**
 * Marks the draft that is being written in a tab of this browser, so that no tab replaces its text
 * with another device's.
 */
export class WritingMark {
  /** The draft that is being written on this page, in case the storage is too full for the mark. */
  #here: string | null = null;

  constructor(private readonly storage: KeyValue) {}

  begin(draftKey: string): void {
    this.#here = draftKey;
    // Ends the mark of the previous draft.
    if (!storeIfSpace(this.storage, KEY, draftKey)) this.storage.removeItem(KEY);
  }

  end(draftKey: string): void {
    if (this.#here === draftKey) this.#here = null;
    if (this.storage.getItem(KEY) === draftKey) this.storage.removeItem(KEY);
  }

  has(draftKey: string): boolean {
    return this.#here === draftKey || this.storage.getItem(KEY) === draftKey;
  }
}
