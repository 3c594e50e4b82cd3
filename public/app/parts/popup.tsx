import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useState, useRef } from "preact/hooks";
import { PHONE } from "./use-media.ts";
import { type Anchor, usePopover } from "./use-popover.ts";
import { Grip, useModal, useSwipeDown } from "./dialog.tsx";

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

/** Whether menus, pickers and cards are sheets: on a phone, but not in a narrow window with a mouse. */
export const usesSheets = () => matchMedia(`${PHONE} and (pointer: coarse)`).matches;

/** A menu, a picker or a card: a popover beside its anchor, or a sheet on a phone. */
export function Popup(props: PopupProps) {
  const [isSheet] = useState(usesSheets);
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
    (target?.matches("input") ? content.current : target)?.focus({ preventScroll: true });
  }, []);
  const named = isMenu ? { role, "aria-label": label, onKeyDown } : { onKeyDown };
  return (
    <Sheet label={label} title={isMenu && label} onClose={onClose}>
      <div ref={content} class={props.class} tabIndex={-1} {...named}>
        {props.children}
      </div>
    </Sheet>
  );
}

type SheetProps = {
  label: string;
  /** What the sheet is about, above its content. */
  title?: string | false;
  onClose(): void;
  children: ComponentChildren;
};

/** A dialog at the bottom of the screen. Esc, Back, a tap outside and a swipe down close it. */
export function Sheet({ label, title, onClose, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  /** Whether the tap started outside: the touch that opened the sheet may still be down. */
  const startedOutside = useRef(false);
  useModal(ref, onClose);
  useSwipeDown(ref, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog handles Esc
    <dialog
      ref={ref}
      class="sheet"
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        startedOutside.current = event.target === event.currentTarget;
      }}
      onClick={(event) =>
        event.target === event.currentTarget && startedOutside.current && onClose()
      }
    >
      <Grip />
      {title && (
        <p class="sheet-title truncate muted small strong" aria-hidden="true" dir="auto">
          {title}
        </p>
      )}
      <div class="body">{children}</div>
    </dialog>
  );
}
