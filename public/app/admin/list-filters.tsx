import type { ComponentChildren } from "preact";
import { SearchBox } from "../parts/search-box.tsx";
import { t } from "../words/translate.ts";

type ListFiltersProps<Status extends string> = {
  label: string;
  query: string;
  onQuery(query: string): void;
  status: Status;
  statuses: [status: NoInfer<Status>, label: string][];
  onStatus(status: NoInfer<Status>): void;
  /** After the filters: a button. */
  children?: ComponentChildren;
};

export function ListFilters<Status extends string>(props: ListFiltersProps<Status>) {
  const { label, query, onQuery, status, statuses, onStatus, children } = props;
  return (
    <div class="find-row row">
      <SearchBox label={label} placeholder={label} value={query} onValue={onQuery} />
      <select
        class="input"
        aria-label={t("admin.show")}
        value={status}
        onChange={(event) => onStatus(event.currentTarget.value as Status)}
      >
        {statuses.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
