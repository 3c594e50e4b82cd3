import { Search, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { ListRow } from "../parts/list-row.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { NARROW, PHONE, useMedia } from "../parts/use-media.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { PersonMenu } from "./person-menu.tsx";
import { ListFilters } from "../parts/list-filters.tsx";
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
      <h2 class="not-on-phone">{t("admin.people")}</h2>
      <ListFilters
        label={t("people.search")}
        query={query}
        onQuery={setQuery}
        choice={{
          label: t("admin.show"),
          value: status,
          options: STATUSES.map(([value, key]) => [value, t(key)]),
          onValue: setStatus,
        }}
      >
        <a class="button" href="/admin/invites">
          <Icon of={UserPlus} />
          {t("invite-people")}
        </a>
      </ListFilters>
      <Listing
        label={t("admin.people")}
        pages={pages}
        empty={<Empty icon={Search} title={t("choose.none")} />}
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

/** The widths of the columns on a wide page; the names have the rest. */
const EMAIL = { width: "176px" };
const SEEN = { width: "208px" };

function Person({ user, onChanged }: { user: AdminUser; onChanged(user: AdminUser): void }) {
  const isPhone = useMedia(PHONE);
  const hasCells = !useMedia(NARROW);
  const seen = user.last_seen_at ? (
    <TimeAgo at={user.last_seen_at}>
      {t("people.seen", { when: formatAgo(user.last_seen_at) })}
    </TimeAgo>
  ) : (
    t("people.not-seen")
  );
  const signs = [
    user.is_site_admin && t("people.administrator"),
    user.keeps_password && t("people.emergency"),
    !user.is_active && t("person.deactivated"),
  ].filter(Boolean);
  return (
    <ListRow
      href={null}
      mark={<Avatar user={user} size={32} />}
      title={nameOf(user)}
      place={!isPhone && `@${user.username}`}
      aside={
        <>
          {hasCells && (
            <>
              <span
                class="rigid muted small truncate"
                style={EMAIL}
                title={user.email ?? undefined}
              >
                {user.email}
              </span>
              <span class="rigid muted small truncate" style={SEEN}>
                {seen}
              </span>
            </>
          )}
          <PersonMenu user={user} onChanged={onChanged} />
        </>
      }
    >
      {hasCells ? (
        <span class="muted small truncate">{signs.join(" · ")}</span>
      ) : (
        <span class="muted small flex wrap between">
          <span class="words">
            {[isPhone && `@${user.username}`, user.email].filter(Boolean).join(" · ")}
          </span>
          <span class="words">
            {signs.map((sign) => `${sign} · `)}
            {seen}
          </span>
        </span>
      )}
    </ListRow>
  );
}
