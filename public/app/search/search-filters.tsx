import type { ComponentChildren } from "preact";
import { ChipMenu } from "../parts/chip-menu.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import type { MenuItem } from "../parts/menu.tsx";
import { dayOfInput, type SearchInput } from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";
import { hereFilter } from "../session/search-address.ts";

export type SearchSort = "newest" | "relevance";
const SORTS: SearchSort[] = ["newest", "relevance"];

type FiltersProps = {
  input: SearchInput;
  onInput(input: SearchInput): void;
  /** After the menus. */
  children: ComponentChildren;
};

/** A menu for each filter, with common values. The values stay the same while a text is typed. */
export function SearchFilters({ input, onInput, children }: FiltersProps) {
  const edit = (next: SearchInput) => {
    onInput(next);
    document.querySelector<HTMLElement>(".search-field input")?.focus();
  };
  return (
    <FilterBar
      label={t("search.filters")}
      filters={[]}
      value=""
      more={
        <>
          {menusOf(input, edit).map(([label, names, items]) => (
            <ChipMenu
              key={label}
              label={label}
              items={items}
              isOn={input.chips.some(isOf(names))}
            />
          ))}
          {children}
        </>
      }
    />
  );
}

type SortProps = { sort: SearchSort; onSort(sort: SearchSort): void };

export function SearchSortMenu({ sort, onSort }: SortProps) {
  return (
    <ChipMenu
      label={t(`search.${sort}`)}
      side="end"
      items={SORTS.map((value) => {
        const label = t(`search.${value}`);
        return { label, checked: value === sort, onSelect: () => onSort(value) };
      })}
    />
  );
}

/** Whether a chip is one of these filters, included or excluded. */
const isOf = (names: string[]) => (chip: string) =>
  names.includes(chip.replace(/^-/, "").split(":", 1)[0]?.toLowerCase() ?? "");

/** The menus, each with its filters and its items: values to toggle, and a filter to complete by typing. */
function menusOf(
  { chips, text }: SearchInput,
  edit: (input: SearchInput) => void,
): [label: string, names: string[], items: MenuItem[]][] {
  const toggle = (label: string, filter: string): MenuItem => {
    const others = chips.filter((chip) => chip !== filter);
    const checked = others.length < chips.length;
    const onSelect = () => edit({ chips: checked ? others : [...chips, filter], text });
    return { label, checked, isSwitch: true, onSelect };
  };
  const begin = (label: string, filter: string): MenuItem => {
    return { label, onSelect: () => edit({ chips, text: `${text} ${filter}`.trimStart() }) };
  };
  const here = hereFilter();
  return [
    [
      t("search.by"),
      ["from", "mentions"],
      [
        toggle(t("search.from-me"), "from:me"),
        toggle(t("search.mentions-me"), "mentions:me"),
        begin(t("search.from-other"), "from:"),
      ],
    ],
    [
      t("search.in"),
      ["in"],
      [...(here ? [toggle(t("search.here"), here)] : []), begin(t("search.in-other"), "in:")],
    ],
    [
      t("search.has"),
      ["has", "is"],
      [
        toggle(t("search.has-file"), "has:file"),
        toggle(t("search.has-image"), "has:image"),
        toggle(t("search.has-link"), "has:link"),
        toggle(t("pin.pinned"), "has:pin"),
        toggle(t("later.saved"), "is:saved"),
      ],
    ],
    [
      t("search.date"),
      ["before", "after", "on", "during"],
      [
        toggle(t("label.today"), `on:${dayOfInput(0)}`),
        toggle(t("search.week"), `after:${dayOfInput(7)}`),
        toggle(t("search.month"), `after:${dayOfInput(30)}`),
        begin(t("search.since"), "after:"),
      ],
    ],
  ];
}
