import { signal } from "@preact/signals";
import type { Quote } from "../../../src/wire/models.ts";
import { storage, store } from "./store.ts";

const keyOf = (place: string) => `snug.quote.${store.me.peek()?.id ?? ""}.${place}`;

/** What the next message quotes, by the room or the thread in which it is written; kept over reloads. */
export const quotes = signal<Record<string, Quote | null>>({});

/** @param place as `placeKey` names it */
export function quoteIn(place: string): Quote | null {
  const known = quotes.value[place];
  return known === undefined ? readQuote(place) : known;
}

/** Quotes a message in what is written next at a place; null quotes nothing. */
export function setQuote(place: string, quote: Quote | null): void {
  quotes.value = { ...quotes.value, [place]: quote };
  try {
    if (quote) storage.setItem(keyOf(place), JSON.stringify(quote));
    else storage.removeItem(keyOf(place));
  } catch {
    // Without space it lasts until the page is closed.
  }
}

function readQuote(place: string): Quote | null {
  try {
    return JSON.parse(storage.getItem(keyOf(place)) ?? "null");
  } catch {
    return null;
  }
}
