import type { ComponentChildren, Key } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/**
 * How many rows are rendered beyond the visible ones, so that Tab and a scroll reach the next ones.
 */
const BEYOND = 12;
/** A list with fewer rows is rendered in full. */
const MIN_ROWS = 200;

type VirtualListProps<Item> = {
  label: string;
  items: Item[];
  /** The height of every row, in px. */
  rowHeight: number;
  keyOf(item: Item): Key;
  render(item: Item): ComponentChildren;
  classOf(item: Item): string;
};

/**
 * A scrolling list that renders only the rows near the visible ones. It needs no library: with rows
 * of equal height, the arithmetic below suffices.
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
    <div ref={scroller} class="virtual-list grow scroll" onScroll={measure}>
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
