import type { ComponentChildren } from "preact";
import { formatBadge, UnreadBadge } from "./unread-badge.tsx";

type Filter<Value> = {
  value: Value;
  label: string;
  /** The address of the list with this filter, where it has one. */
  href?: string;
  /** The number of items that need attention. */
  count?: number;
};

type FilterBarProps<Value> = {
  /** What is filtered. */
  label: string;
  filters: Filter<Value>[];
  value: Value;
  onValue?(value: Value): void;
  /** Further filters, after the chips. */
  more?: ComponentChildren;
};

/** The filters of a list, one of which is active, below the screen's heading. */
export function FilterBar<Value extends string>(props: FilterBarProps<Value>) {
  const { label, filters, value, onValue, more } = props;
  const Frame = filters.some(({ href }) => href !== undefined) ? "nav" : "fieldset";
  return (
    <Frame class="filter-bar rigid row full wrap" aria-label={label}>
      {filters.map((filter) => (
        <FilterChip
          key={filter.value}
          filter={filter}
          isChosen={filter.value === value}
          onChoose={() => onValue?.(filter.value)}
        />
      ))}
      {more}
    </Frame>
  );
}

type ChipProps<Value> = { filter: Filter<Value>; isChosen: boolean; onChoose(): void };

function FilterChip<Value>({ filter, isChosen, onChoose }: ChipProps<Value>) {
  const { label, href, count = 0 } = filter;
  const content = (
    <>
      {label}
      <UnreadBadge mentions={count} isUnread={false} label={formatBadge(count)} />
    </>
  );
  if (href === undefined) {
    return (
      <button
        type="button"
        class="chip reach gap-4 small"
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        {content}
      </button>
    );
  }
  return (
    <a class="chip reach gap-4 small" href={href} aria-current={isChosen ? "page" : undefined}>
      {content}
    </a>
  );
}
