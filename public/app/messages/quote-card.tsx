import type { MyRoom, Quote } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { placePath, threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

type CardProps = {
  room: MyRoom;
  quote: Quote;
  inThread?: string;
};

/** The quoted message in its current state, as a link to it. */
export function QuoteCard({ room, quote, inThread }: CardProps) {
  if ("is_gone" in quote) {
    return (
      <p class="quote-card">
        <span class="muted">{t("quote.gone")}</span>
      </p>
    );
  }
  const { id, author } = quote;
  const thread = inThread ? store.state.peek().views[inThread] : undefined;
  const isBeside = thread?.messages.some((message) => message.id === id);
  const href = inThread && isBeside ? threadPath(room.name, inThread, id) : placePath(room, id);
  return (
    <a class="quote-card" href={href} aria-label={t("quote.of", { name: nameOf(author) })}>
      <b class="truncate" dir="auto">
        {nameOf(author)}
      </b>
      <span class="clamp muted" dir="auto">
        {describeQuote(quote)}
      </span>
    </a>
  );
}

/** The text of a quoted message, or what it has attached. */
export function describeQuote(quote: Quote): string {
  if ("is_gone" in quote) return t("quote.gone");
  return quote.excerpt ?? (quote.has_image ? t("quote.image") : t("quote.file"));
}
