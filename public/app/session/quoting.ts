import { signal } from "@preact/signals";
import type { Quote } from "../../../src/wire/models.ts";
import { storage, store } from "./store.ts";
import { keepIfSpace } from "../connection/storage.ts";

const keyOf = (place: string) => `snug.quote.${store.me.peek()?.id ?? ""}.${place}`;

/** The message that the next one quotes, by the room or thread; stored over reloads. */
export const quotes = signal<Record<string, Quote | null>>({});

/** @param place as `placeKey` names it */
export function quoteIn(place: string): Quote | null {
  const quote = quotes.value[place];
  return quote === undefined ? readQuote(place) : quote;
}

/** Quotes a message in the next one at a place; null removes the quote. */
export function setQuote(place: string, quote: Quote | null): void {
  quotes.value = { ...quotes.value, [place]: quote };
  // If the storage is full, the quote lasts until the page is closed.
  keepIfSpace(storage, keyOf(place), quote && JSON.stringify(quote));
}

function readQuote(place: string): Quote | null {
  try {
    return JSON.parse(storage.getItem(keyOf(place)) ?? "null");
  } catch {
    return null;
  }
}
