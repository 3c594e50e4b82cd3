import { Icon } from "../parts/icon.tsx";
import { Avatar } from "../parts/person.tsx";
import type { Candidate } from "../state/completion.ts";
import { t } from "../words/translate.ts";

type ListProps = {
  id: string;
  isBelow: boolean;
  items: Candidate[];
  index: number;
  onTake(item: Candidate): void;
};

/** The candidates, below or above the text field, which keeps the focus. */
export function CompletionList({ id, isBelow, items, index, onTake }: ListProps) {
  return (
    <div
      class={`completion ${isBelow ? "below" : ""}`}
      id={id}
      role="listbox"
      aria-label={t("composer.suggestions")}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys, as a combobox does
        <div
          key={item.key}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === index}
          // The text field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          {item.user && <Avatar user={item.user} size={24} />}
          {item.icon && (
            <span class="broadcast-mark">
              <Icon of={item.icon} />
            </span>
          )}
          <span class="truncate">{item.label}</span>
          <span class="muted small truncate">{item.hint}</span>
        </div>
      ))}
    </div>
  );
}
