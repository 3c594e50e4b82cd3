import { UserPlus } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { RowText } from "../parts/row-text.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { ListFilters } from "./list-filters.tsx";
import { t } from "../words/translate.ts";

const STATUSES = [
  ["", "people.everyone"],
  ["active", "people.active"],
  ["deactivated", "people.deactivated"],
] as const;

export function People() {
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState<"" | "active" | "deactivated">("");
  const pages = usePages("GET /api/admin/users", {
    query: { kind: "person", query: useDebounced(query), status: status || undefined },
  });
  return (
    <>
      <div class="head-row row">
        <h2 class="grow not-on-phone">{t("admin.people")}</h2>
        <a class="button" href="/admin/invites">
          <Icon of={UserPlus} />
          {t("invite-people")}
        </a>
      </div>
      <ListFilters
        label={t("people.search")}
        query={query}
        onQuery={setQuery}
        status={status}
        statuses={STATUSES.map(([value, key]) => [value, t(key)])}
        onStatus={setStatus}
      />
      <Listing
        label={t("admin.people")}
        pages={pages}
        empty={<Empty title={t("choose.none")} />}
        keyOf={(user) => user.id}
      >
        {(user) => (
          <Person
            user={user}
            onChanged={(changed) => pages.replace((item) => item.id === user.id, changed)}
          />
        )}
      </Listing>
    </>
  );
}

function Person({ user, onChanged }: { user: AdminUser; onChanged(user: AdminUser): void }) {
  return (
    <>
      <Avatar user={user} />
      <RowText
        title={nameOf(user)}
        hint={`@${user.username}`}
        tags={
          <>
            {user.is_site_admin && <span class="tag">{t("people.administrator")}</span>}
            {user.keeps_password && <span class="tag">{t("people.emergency")}</span>}
            {!user.is_active && <span class="tag">{t("person.deactivated")}</span>}
          </>
        }
      >
        {user.email} ·{" "}
        {user.last_seen_at ? (
          <TimeAgo at={user.last_seen_at}>
            {t("people.seen", { when: formatAgo(user.last_seen_at) })}
          </TimeAgo>
        ) : (
          t("people.not-seen")
        )}
      </RowText>
      <PersonMenu user={user} onChanged={onChanged} />
    </>
  );
}
