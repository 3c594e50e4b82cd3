import type { ComponentChildren } from "preact";

type RowTextProps = {
  title: string;
  /** Shown beside the title. */
  hint?: ComponentChildren;
  /** Shown after the hint. */
  tags?: ComponentChildren;
  children: ComponentChildren;
  /** Whether the text wraps to as many lines as it needs. */
  wraps?: boolean;
  more?: ComponentChildren;
};

export function RowText({ title, hint, tags, children, wraps, more }: RowTextProps) {
  return (
    <div class="grow">
      {/* Title and hint each have their own direction; otherwise a right-to-left title would lose
          its start. */}
      <p class="row wrap gap-4">
        <span class="truncate" dir="auto">
          {title}
        </span>
        {hint && (
          <bdi class="muted truncate" dir="auto">
            {hint}
          </bdi>
        )}
        {tags}
      </p>
      <p class={`muted small ${wraps ? "" : "truncate"}`}>{children}</p>
      {more}
    </div>
  );
}
