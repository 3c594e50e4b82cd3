import { signal } from "@preact/signals";
import type { Quote } from "../../../src/wire/models.ts";
import { storage, store } from "./store.ts";
import { storeIfSpace } from "../connection/storage.ts";

const keyOf = (place: string) => `snug.quote.${store.me.peek()?.id ?? ""}.${place}`;

/** The message to be quoted by the next message of each room or thread; survives reloads. */
export const quotes = signal<Record<string, Quote | null>>({});

/** @param place a key of `draftKey` */
export function quoteIn(place: string): Quote | null {
  const quote = quotes.value[place];
  return quote === undefined ? readQuote(place) : quote;
}

/** Sets the message that the next message in a room or thread quotes; null removes it. */
export function setQuote(place: string, quote: Quote | null): void {
  quotes.value = { ...quotes.value, [place]: quote };
  // If the storage is full, the quote lasts until the page is closed.
  storeIfSpace(storage, keyOf(place), quote && JSON.stringify(quote));
}

function readQuote(place: string): Quote | null {
  try {
    return JSON.parse(storage.getItem(keyOf(place)) ?? "null");
  } catch {
    return null;
  }
}
