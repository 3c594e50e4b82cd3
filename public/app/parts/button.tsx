import type { IconNode } from "lucide";
import type { ComponentChildren, MouseEventHandler } from "preact";
import { Icon } from "./icon.tsx";

type ButtonProps = {
  kind?: "primary" | "quiet" | "bare" | "danger";
  /** Shows a spinner and disables the button. */
  busy?: boolean;
  wide?: boolean;
  /** The accessible name, if the text is only a part of it. */
  label?: string;
  type?: "button" | "submit";
  disabled?: boolean;
  /** Gets the focus when the dialog around it opens. */
  autofocus?: boolean;
  "data-tooltip"?: string;
  "aria-keyshortcuts"?: string;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ComponentChildren;
};

/** A button with text. While it is busy it cannot be pressed again. */
export function Button({
  kind = "quiet",
  busy,
  wide,
  label,
  type = "button",
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      class={`button ${kind}${wide ? " full" : ""}`}
      disabled={rest.disabled || busy}
      aria-busy={busy}
    >
      {busy && <span class="spinner round" />}
      {children}
    </button>
  );
}

type IconButtonProps = {
  icon: IconNode;
  /** The accessible name, also shown as a tooltip. */
  label: string;
  class?: string;
  disabled?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  /** Keyboard shortcut, shown in the tooltip. */
  shortcut?: string;
  tabIndex?: number;
  describedBy?: string;
  onClick: MouseEventHandler<HTMLButtonElement>;
};

/** A button with an icon alone; `label` names it for the tooltip and the screen reader. */
export function IconButton({
  icon,
  label,
  pressed,
  expanded,
  shortcut,
  describedBy,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      class={`icon-button ${rest.class ?? ""}`}
      data-tooltip={label}
      aria-keyshortcuts={shortcut}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-describedby={describedBy}
    >
      <Icon of={icon} />
    </button>
  );
}
