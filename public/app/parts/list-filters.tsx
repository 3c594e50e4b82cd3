import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { type SelectField, SelectInput } from "./field.tsx";
import { Menu } from "./menu.tsx";
import { SearchBox } from "./search-box.tsx";
import { PHONE, useMedia } from "./use-media.ts";

type ListFiltersProps<Value extends string> = {
  label: string;
  query: string;
  onQuery(query: string): void;
  autofocus?: boolean;
  /** What the list shows, or how it is sorted. */
  choice: SelectField<Value>;
  /** Shown on a phone instead of the chosen value, where the search needs the space. */
  icon?: IconNode;
  /** After the filters: a button. */
  children?: ComponentChildren;
};

/** The search of a list, beside a choice. */
export function ListFilters<Value extends string>(props: ListFiltersProps<Value>) {
  const { label, query, onQuery, autofocus, choice, icon, children } = props;
  const isPhone = useMedia(PHONE);
  return (
    <div class="find-row rigid row full wrap">
      <SearchBox
        label={label}
        placeholder={label}
        value={query}
        onValue={onQuery}
        autofocus={autofocus}
      />
      {icon && isPhone ? <ChoiceMenu {...choice} icon={icon} /> : <SelectInput {...choice} />}
      {children}
    </div>
  );
}

type MenuProps<Value extends string> = SelectField<Value> & { icon: IconNode };

function ChoiceMenu<Value extends string>(props: MenuProps<Value>) {
  const { icon, label, value, options, onValue } = props;
  const items = options.map(([option, name]) => {
    return { label: name, checked: option === value, onSelect: () => onValue(option) };
  });
  return (
    <div class="grid middle">
      <Menu icon={icon} label={label} items={items} />
    </div>
  );
}
