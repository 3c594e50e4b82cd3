import type { ComponentChildren } from "preact";
import { type SelectField, SelectInput } from "./field.tsx";
import { SearchBox } from "./search-box.tsx";

type ListFiltersProps<Value extends string> = {
  label: string;
  query: string;
  onQuery(query: string): void;
  /** What the list shows, or how it is sorted. */
  choice: SelectField<Value>;
  /** After the filters: a button. */
  children?: ComponentChildren;
};

/** The search of a list, beside a choice. */
export function ListFilters<Value extends string>(props: ListFiltersProps<Value>) {
  const { label, query, onQuery, choice, children } = props;
  return (
    <div class="find-row rigid row full wrap">
      <SearchBox label={label} placeholder={label} value={query} onValue={onQuery} />
      <SelectInput {...choice} />
      {children}
    </div>
  );
}
