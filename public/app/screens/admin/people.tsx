import { useState } from "preact/hooks";
import type { AdminUser } from "../../../../src/wire/admin.ts";
import { Field, Select } from "../../parts/field.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Avatar, nameOf } from "../../parts/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { usePages } from "../../parts/use-pages.ts";
import { useSettled } from "../../parts/use-settled.ts";
import { PersonMenu } from "./person-menu.tsx";

const STATUSES: [string, string][] = [
  ["", "Everyone"],
  ["active", "Active"],
  ["deactivated", "Deactivated"],
];

/** Everyone who has an account. */
export function People() {
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState("");
  const filter = { kind: "person", query: useSettled(query), status };
  const pages = usePages<AdminUser>("/api/admin/users", filter);
  return (
    <>
      <h2>People</h2>
      <div class="filters">
        <Field
          label="Search by name or email"
          type="search"
          value={query}
          onValue={setQuery}
          autocomplete="off"
        />
        <Select label="Show" value={status} options={STATUSES} onValue={setStatus} />
      </div>
      <Listing
        label="People"
        pages={pages}
        empty="Nobody here goes by that."
        keyOf={(user) => user.id}
      >
        {(user) => (
          <Person
            user={user}
            onChanged={(changed) => pages.replace((one) => one.id === user.id, changed)}
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
      <div class="grow">
        <p class="truncate">
          <b>{nameOf(user)}</b> <span class="muted">@{user.username}</span>
        </p>
        <p class="muted small truncate">
          {user.email} ·{" "}
          {user.last_seen_at ? `seen ${fullTimeOf(user.last_seen_at)}` : "not seen yet"}
        </p>
      </div>
      {user.is_site_admin && <span class="tag">administrator</span>}
      {!user.is_active && <span class="tag">deactivated</span>}
      <PersonMenu user={user} onChanged={onChanged} />
    </>
  );
}
