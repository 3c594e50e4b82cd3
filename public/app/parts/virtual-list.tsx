import type { ComponentChildren, Key } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows above and below what is visible, so that Tab and a scroll find the next ones. */
const BEYOND = 12;
/** A list with fewer rows is rendered as a whole. */
const MIN_ROWS = 200;

type VirtualListProps<Item> = {
  label: string;
  items: Item[];
  /** The height of every row, in px. */
  rowHeight: number;
  keyOf(item: Item): Key;
  /** Renders the content of a row. */
  render(item: Item): ComponentChildren;
  classOf(item: Item): string;
};

/**
 * A list that scrolls, of which only the rows near the visible ones are in the page. No library:
 * with one height for all rows, only the arithmetic below is needed.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, rowHeight, keyOf, render, classOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: MIN_ROWS });
  const isWhole = items.length < MIN_ROWS;
  const measure = () => {
    const { current } = scroller;
    if (!current || isWhole) return;
    const first = Math.floor(current.scrollTop / rowHeight);
    const count = Math.ceil(current.clientHeight / rowHeight);
    const from = Math.max(0, first - BEYOND);
    const to = first + count + BEYOND;
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useLayoutEffect(() => {
    measure();
    const { current } = scroller;
    if (!current) return;
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [items.length, rowHeight]);
  const { from, to } = isWhole ? { from: 0, to: items.length } : range;
  return (
    <div ref={scroller} class="virtual-list" onScroll={measure}>
      <ul
        aria-label={label}
        style={{
          paddingTop: `${from * rowHeight}px`,
          paddingBottom: `${Math.max(0, items.length - to) * rowHeight}px`,
        }}
      >
        {items.slice(from, to).map((item, index) => (
          <li
            key={keyOf(item)}
            class={classOf(item)}
            style={{ height: `${rowHeight}px` }}
            aria-setsize={isWhole ? undefined : items.length}
            aria-posinset={isWhole ? undefined : from + index + 1}
          >
            {render(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
