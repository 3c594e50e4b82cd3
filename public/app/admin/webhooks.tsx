import { Webhook } from "lucide";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { RowText } from "../parts/row-text.tsx";
import { localStore } from "../connection/storage.ts";
import { store } from "../session/store.ts";
import { usePages } from "../session/use-pages.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { roomById, roomList } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** The webhooks of all rooms. A room's owner and admins manage them in its settings. */
export function Webhooks() {
  const pages = usePages("GET /api/admin/webhooks");
  const room = latestManagedRoom();
  return (
    <>
      <h2 class="not-on-phone">{t("admin.webhooks")}</h2>
      <p class="muted small">{t("admin-webhooks.text")}</p>
      <Listing
        label={t("admin.webhooks")}
        pages={pages}
        empty={
          <Empty
            icon={Webhook}
            title={t("admin-webhooks.none")}
            text={t("admin-webhooks.none-text")}
          >
            {room && (
              <a class="button primary" href={`${roomPath(room.name)}?panel=settings#webhooks`}>
                {t("admin-webhooks.add", { room: room.name })}
              </a>
            )}
          </Empty>
        }
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
                    {t("last-used", { when: formatAgo(webhook.last_used_at) })}
                  </TimeAgo>
                </>
              )}
            </RowText>
            <span class="tag">
              {t("admin-webhooks.direction", { direction: webhook.direction })}
            </span>
            {!webhook.is_active && <span class="tag">{t("is-off")}</span>}
          </>
        )}
      </Listing>
    </>
  );
}

/** The room in whose settings the reader can add a webhook: the one they opened last. */
function latestManagedRoom() {
  const state = store.state.value;
  const recent = recentRooms(localStore).flatMap((id) => roomById(state, id) ?? []);
  return [...recent, ...roomList(state)].find(
    ({ membership, is_archived }) => !is_archived && membership && membership.role !== "member",
  );
}
