import { X } from "lucide";
import type { ComponentProps, RefObject } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { isEscape } from "./escape.ts";
import { t } from "../words/translate.ts";

type Rest = Pick<
  ComponentProps<"input">,
  "placeholder" | "autofocus" | "maxLength" | "onKeyDown" | "spellcheck" | "autocapitalize"
>;
type SearchBoxProps = Rest & {
  label: string;
  /** Whether the label is above it, and not its accessible name alone. */
  hasLabel?: boolean;
  value: string;
  onValue(value: string): void;
  input?: RefObject<HTMLInputElement | null>;
  /** For the element around the input. */
  class?: string;
  /** Set where the input is a part of something that looks like a field. */
  isBare?: boolean;
};

/**
 * The input of every search and filter. Esc closes what is open around it; where nothing is, it empties the input. It
 * is no native search input, which in WebKit takes Esc for itself.
 */
export function SearchBox(props: SearchBoxProps) {
  const { label, hasLabel, value, onValue, input, class: outer = "", isBare, ...rest } = props;
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const field = input ?? own;
  const clear = useRef(() => {});
  clear.current = () => onValue("");
  useEffect(() => {
    // On the window, so that all around it comes first.
    const onKey = (event: KeyboardEvent) => {
      if (event.target !== field.current || !field.current?.value || !isEscape(event)) return;
      event.preventDefault();
      clear.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
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
      id={hasLabel ? id : undefined}
      aria-label={hasLabel ? undefined : label}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
  if (isBare) return text;
  const whole = (
    <div class={`search-box ${outer}`}>
      {text}
      {value !== "" && (
        <IconButton
          icon={X}
          label={t("search-box.clear")}
          // As the browser's own sign: with keys there is Esc, and what is in a text can be deleted.
          tabIndex={-1}
          onClick={() => {
            clear.current();
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
  if (!hasLabel) return whole;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {whole}
    </div>
  );
}
