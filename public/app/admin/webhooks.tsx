import type { AdminWebhook } from "../../../src/wire/admin.ts";
import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../parts/person.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { usePages } from "../parts/use-pages.ts";
import { t } from "../words/translate.ts";

/** Webhooks of all rooms; a room's owner and admins look after them in its settings. */
export function Webhooks() {
  const pages = usePages<AdminWebhook>("/api/admin/webhooks");
  return (
    <>
      <h2>{t("admin.webhooks")}</h2>
      <p class="muted small">{t("admin-webhooks.text")}</p>
      <Listing
        label={t("admin.webhooks")}
        pages={pages}
        empty={t("admin-webhooks.none")}
        keyOf={(hook) => hook.id}
      >
        {(hook) => (
          <>
            <div class="grow">
              <p class="truncate">
                <b>{hook.name}</b> <span class="muted">#{hook.room.name}</span>
              </p>
              <p class="muted small truncate">
                {hook.url ?? t("admin-webhooks.posts")} ·{" "}
                {t("admin-webhooks.by", { name: nameOf(hook.created_by) })}
                {hook.last_used_at &&
                  ` · ${t("admin-webhooks.used", { when: fullTimeOf(hook.last_used_at) })}`}
              </p>
              {hook.disabled_reason && <p class="small words">{hook.disabled_reason}</p>}
            </div>
            <span class="tag">{t("admin-webhooks.direction", { direction: hook.direction })}</span>
            {!hook.is_active && <span class="tag">{t("admin-webhooks.off")}</span>}
          </>
        )}
      </Listing>
    </>
  );
}
