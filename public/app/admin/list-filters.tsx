import { Select } from "../parts/field.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { t } from "../words/translate.ts";

type ListFiltersProps<Status extends string> = {
  label: string;
  query: string;
  onQuery(query: string): void;
  status: Status;
  statuses: [status: NoInfer<Status>, label: string][];
  onStatus(status: NoInfer<Status>): void;
};

export function ListFilters<Status extends string>(props: ListFiltersProps<Status>) {
  const { label, query, onQuery, status, statuses, onStatus } = props;
  return (
    <div class="filters grid gap-12">
      <SearchBox label={label} hasLabel value={query} onValue={onQuery} />
      <Select label={t("admin.show")} value={status} options={statuses} onValue={onStatus} />
    </div>
  );
}
