import { Search, X } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { type SearchInput, takeChips } from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";

type SearchFieldProps = {
  input: SearchInput;
  isFocused: boolean;
  onInput(input: SearchInput): void;
  /** Completes the filter that is being typed; returns false without such a filter. */
  onComplete(): boolean;
  /** Called when the reader has finished typing. */
  onEnter(): void;
};

/** The search field, with its filters as chips before the text. */
export function SearchField(props: SearchFieldProps) {
  const { input, isFocused, onInput, onComplete, onEnter } = props;
  const { chips, text } = input;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  const dropChip = (chip: string) => {
    onInput({ ...input, chips: chips.filter((other) => other !== chip) });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement;
    const last = chips.at(-1);
    if (event.key === "Backspace" && last && selectionStart === 0 && selectionEnd === 0) {
      dropChip(last);
    } else if (event.key === "Enter") {
      // Enter completes a filter at the end of the text.
      if (!onComplete()) {
        onInput(takeChips({ chips, text: `${text} ` }));
        // The results are below the keyboard of a phone.
        if (matchMedia("(pointer: coarse)").matches) field.current?.blur();
      }
      onEnter();
    } else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the field inside handles the keys
    <div class="search-field gap-4 row wrap grow relative" onClick={() => field.current?.focus()}>
      <Icon of={Search} />
      {chips.map((chip) => (
        <span key={chip} class="chip gap-4 small">
          <span class="truncate" dir="auto" title={chip}>
            {chip}
          </span>
          <button
            type="button"
            class="reach"
            aria-label={t("search.drop", { filter: chip })}
            data-tooltip={t("search.drop", { filter: chip })}
            onClick={() => dropChip(chip)}
          >
            <Icon of={X} />
          </button>
        </span>
      ))}
      <SearchBox
        isBare
        input={field}
        label={t("search.title")}
        placeholder={chips.length === 0 ? t("search.what") : ""}
        autocapitalize="off"
        spellcheck={false}
        maxLength={200}
        value={text}
        onValue={(next) => onInput(takeChips({ chips, text: next }))}
        onKeyDown={onKeyDown}
      />
      {(text !== "" || chips.length > 0) && (
        <IconButton
          icon={X}
          label={t("search-box.clear")}
          onClick={() => onInput({ chips: [], text: "" })}
        />
      )}
    </div>
  );
}
