import type { ComponentChildren } from "preact";

type RowTextProps = {
  title: string;
  /** Beside the title. */
  hint?: ComponentChildren;
  /** Whether the title is no heavier than the rest of the page. */
  isPlain?: boolean;
  /** A line about it. */
  children: ComponentChildren;
  /** Whether that takes as many lines as it needs. */
  wraps?: boolean;
  /** Further lines. */
  more?: ComponentChildren;
};

/** What a row of a list says. */
export function RowText({ title, hint, isPlain, children, wraps, more }: RowTextProps) {
  return (
    <div class="grow">
      {/* The line has the direction of its title, or one from right to left would lose its beginning. */}
      <p class="truncate" dir="auto">
        {isPlain ? title : <b>{title}</b>}
        {hint && " "}
        {hint && <bdi class="muted">{hint}</bdi>}
      </p>
      <p class={`muted small ${wraps ? "" : "truncate"}`}>{children}</p>
      {more}
    </div>
  );
}
