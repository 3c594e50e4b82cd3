import type { AdminWebhook } from "../../../../src/wire/admin.ts";
import { Listing } from "../../parts/listing.tsx";
import { nameOf } from "../../parts/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { usePages } from "../../parts/use-pages.ts";

/** Webhooks of all rooms; a room's owner and admins look after them in its settings. */
export function Webhooks() {
  const pages = usePages<AdminWebhook>("/api/admin/webhooks");
  return (
    <>
      <h2>Webhooks</h2>
      <p class="muted small">
        What posts into rooms from outside, and where rooms send what happens in them. Owners and
        admins of a room make and change them in its settings.
      </p>
      <Listing
        label="Webhooks"
        pages={pages}
        empty="No room has a webhook."
        keyOf={(hook) => hook.id}
      >
        {(hook) => (
          <>
            <div class="grow">
              <p class="truncate">
                <b>{hook.name}</b> <span class="muted">#{hook.room.name}</span>
              </p>
              <p class="muted small truncate">
                {hook.url ?? "Posts into the room"} · by {nameOf(hook.created_by)}
                {hook.last_used_at && ` · used ${fullTimeOf(hook.last_used_at)}`}
              </p>
              {hook.disabled_reason && <p class="small words">{hook.disabled_reason}</p>}
            </div>
            <span class="tag">{hook.direction}</span>
            {!hook.is_active && <span class="tag">off</span>}
          </>
        )}
      </Listing>
    </>
  );
}
