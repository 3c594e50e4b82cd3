import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

type Combobox<Item> = {
  /** The id of the list; null while nothing is offered. */
  listId: string | null;
  items: Item[];
  /** The position of the highlighted item. */
  index: number;
  /** The id of the highlighted item; null while nothing is offered. */
  markedId: string | null;
  choose(item: Item): void;
  reset(): void;
  /**
   * Arrows highlight an item, and Enter chooses it.
   * @returns whether it has handled the key
   */
  onKeyDown(event: KeyboardEvent): boolean;
};

/** The state of a combobox: a field that keeps the focus, and a list of items to choose from. */
export function useCombobox<Item>(items: Item[], choose: (item: Item) => void): Combobox<Item> {
  const id = useId();
  const [marked, setMarked] = useState(0);
  const index = Math.min(marked, items.length - 1);
  const item = items[index];
  return {
    listId: item ? id : null,
    items,
    index,
    markedId: item ? optionId(id, index) : null,
    choose,
    reset: () => setMarked(0),
    onKeyDown(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!item) return false;
      if (step) setMarked((index + step + items.length) % items.length);
      else if (event.key === "Enter") choose(item);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function comboboxInput({ listId, markedId }: Combobox<unknown>) {
  return {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    "aria-expanded": listId !== null,
    "aria-controls": listId ?? undefined,
    "aria-activedescendant": markedId ?? undefined,
  } as const;
}

type ListProps<Item> = {
  combobox: Combobox<Item>;
  label: string;
  class: string;
  optionClass?: string;
  keyOf(item: Item): string;
  arrange?(options: VNode[]): ComponentChildren;
  children(item: Item): ComponentChildren;
};

export function ComboboxList<Item>(props: ListProps<Item>) {
  const { combobox, label, optionClass, keyOf, children, arrange } = props;
  const { listId, items, index } = combobox;
  const list = useRef<HTMLDivElement>(null);
  const shownIndex = useRef(index);
  useEffect(() => {
    // Not when it opens, because that would scroll the elements around the list, too.
    if (shownIndex.current === index) return;
    shownIndex.current = index;
    const options = list.current?.querySelectorAll('[role="option"]');
    options?.[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const optionOf = (item: Item, i: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      key={keyOf(item)}
      id={optionId(listId ?? "", i)}
      class={optionClass}
      role="option"
      tabIndex={-1}
      aria-selected={i === index}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => combobox.choose(item)}
    >
      {children(item)}
    </div>
  );
  const options = items.map(optionOf);
  return (
    <div ref={list} class={props.class} id={listId ?? undefined} role="listbox" aria-label={label}>
      {arrange ? arrange(options) : options}
    </div>
  );
}
