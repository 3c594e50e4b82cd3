import { Search, X } from "lucide";
import type { ComponentProps, RefObject } from "preact";
import { useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { useEscape } from "./escape.ts";
import { Icon } from "./icon.tsx";
import { t } from "../words/translate.ts";

type Rest = Pick<
  ComponentProps<"input">,
  "placeholder" | "autofocus" | "maxLength" | "onKeyDown" | "spellcheck" | "autocapitalize"
>;
type SearchBoxProps = Rest & {
  label: string;
  value: string;
  onValue(value: string): void;
  input?: RefObject<HTMLInputElement | null>;
  /** The class of the element around the input. */
  class?: string;
  /** Set if the input is part of something that already looks like a field. */
  isBare?: boolean;
};

/**
 * The input of every search and filter. Esc closes what is open around it, or else clears the
 * input. It is not a native search input, because WebKit would handle Esc in it.
 */
export function SearchBox(props: SearchBoxProps) {
  const { label, value, onValue, input, class: outer = "", isBare, ...rest } = props;
  const own = useRef<HTMLInputElement>(null);
  const field = input ?? own;
  const clear = () => onValue("");
  useEscape((target) => target === field.current && field.current?.value !== "", clear, window);
  const text = (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <input
      autocomplete="off"
      {...rest}
      ref={field}
      class={isBare ? undefined : "input"}
      type="text"
      role="searchbox"
      inputmode="search"
      enterkeyhint="search"
      dir="auto"
      aria-label={label}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
  if (isBare) return text;
  return (
    <div class={`search-box relative ${outer}`}>
      {text}
      <Icon of={Search} />
      {value !== "" && (
        <IconButton
          icon={X}
          label={t("search-box.clear")}
          // Like the browser's own clear button. Keyboard users have Esc, or delete the text.
          tabIndex={-1}
          onClick={() => {
            clear();
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}
