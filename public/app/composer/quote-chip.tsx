import { Reply, X } from "lucide";
import type { Quote } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { nameOf } from "../session/person.tsx";
import { t } from "../words/translate.ts";

/** The message that the next one quotes, with a button that removes the quote. */
export function QuoteChip({ quote, onRemove }: { quote: Quote; onRemove(): void }) {
  const name = "author" in quote ? nameOf(quote.author) : "";
  return (
    <div class="quote-chip row muted small">
      <Icon of={Reply} />
      <span class="truncate" dir="auto">
        <b>{name}</b> {"author" in quote ? (quote.excerpt ?? t("quote.upload")) : t("quote.gone")}
      </span>
      <IconButton icon={X} label={t("quote.remove")} onClick={onRemove} />
    </div>
  );
}
