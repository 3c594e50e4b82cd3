import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { agoOf } from "../parts/times.ts";
import { RowText } from "../parts/row-text.tsx";
import { usePages } from "../session/use-pages.ts";
import { t } from "../words/translate.ts";

/** The webhooks of all rooms. A room's owner and admins manage them in its settings. */
export function Webhooks() {
  const pages = usePages("GET /api/admin/webhooks");
  return (
    <>
      <h2>{t("admin.webhooks")}</h2>
      <p class="muted small">{t("admin-webhooks.text")}</p>
      <Listing
        label={t("admin.webhooks")}
        pages={pages}
        empty={t("admin-webhooks.none")}
        keyOf={(webhook) => webhook.id}
      >
        {(webhook) => (
          <>
            <RowText
              title={webhook.name}
              hint={`#${webhook.room.name}`}
              more={webhook.disabled_reason && <p class="small words">{webhook.disabled_reason}</p>}
            >
              {webhook.url ?? t("admin-webhooks.posts")} ·{" "}
              {t("admin-webhooks.by", { name: nameOf(webhook.created_by) })}
              {webhook.last_used_at && (
                <>
                  {" · "}
                  <TimeAgo at={webhook.last_used_at}>
                    {t("admin-webhooks.used", { when: agoOf(webhook.last_used_at) })}
                  </TimeAgo>
                </>
              )}
            </RowText>
            <span class="tag">
              {t("admin-webhooks.direction", { direction: webhook.direction })}
            </span>
            {!webhook.is_active && <span class="tag">{t("admin-webhooks.off")}</span>}
          </>
        )}
      </Listing>
    </>
  );
}
