import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Sheet } from "./sheet.tsx";
import { PHONE } from "./use-media.ts";
import { type Anchor, usePopover } from "./use-popover.ts";

type PopupProps = {
  content: RefObject<HTMLDivElement | null>;
  label: string;
  role: "menu" | "dialog";
  class: string;
  anchor: Anchor | null;
  /** Selects the element that gets the focus. */
  first: string;
  side?: "start" | "end";
  onKeyDown?(event: KeyboardEvent): void;
  onClose(): void;
  children: ComponentChildren;
};

/** A menu, a picker or a card: a popover beside its anchor, or a sheet on a phone. */
export function Popup(props: PopupProps) {
  const [isSheet] = useState(() => matchMedia(PHONE).matches);
  return isSheet ? <PopupSheet {...props} /> : <Popover {...props} />;
}

function Popover(props: PopupProps) {
  const { content, label, role, anchor, first, side, onKeyDown, onClose, children } = props;
  usePopover(content, anchor, first, onClose, side);
  const named = { role, "aria-label": label, onKeyDown };
  return (
    <div ref={content} class={`${props.class} framed scroll raised`} popover="auto" {...named}>
      {children}
    </div>
  );
}

function PopupSheet({ content, label, role, first, onKeyDown, onClose, ...props }: PopupProps) {
  const isMenu = role === "menu";
  useLayoutEffect(() => {
    const target = content.current?.querySelector<HTMLElement>(first);
    // A focused field would open the keyboard of the phone.
    const isQuiet = target?.matches("input") && matchMedia("(pointer: coarse)").matches;
    (isQuiet ? content.current : target)?.focus();
  }, []);
  const named = isMenu ? { role, "aria-label": label, onKeyDown } : { onKeyDown };
  return (
    <Sheet label={label} isTitled={isMenu} onClose={onClose}>
      <div ref={content} class={props.class} tabIndex={-1} {...named}>
        {props.children}
      </div>
    </Sheet>
  );
}
