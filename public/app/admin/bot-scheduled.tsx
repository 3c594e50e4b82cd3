import { Copy, Trash2 } from "lucide";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { BotScheduled } from "../../../src/wire/scheduled-messages.ts";
import { IconButton } from "../parts/button.tsx";
import { Listing, type Pages } from "../parts/listing.tsx";
import { fullTimeOf, whenAhead } from "../parts/times.ts";
import { copyText } from "../session/copy-text.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showToast } from "../session/toasts.ts";
import { t, tIfKnown } from "../words/translate.ts";

type BotScheduledProps = { botId: string; pages: Pages<BotScheduled> };

/** A bot's scheduled messages, and those that were blocked. Only the bot can send those again. */
export function BotScheduledList({ botId, pages }: BotScheduledProps) {
  return (
    <>
      <h3>{t("bot-scheduled.title")}</h3>
      <p class="muted small">{t("bot-scheduled.text")}</p>
      <Listing
        label={t("bot-scheduled.title")}
        pages={pages}
        empty={<p class="muted">{t("bot-scheduled.none")}</p>}
        keyOf={({ id }) => id}
      >
        {(scheduled) => (
          <Row
            botId={botId}
            scheduled={scheduled}
            onDeleted={() => pages.replace(({ id }) => id === scheduled.id, null)}
          />
        )}
      </Listing>
    </>
  );
}

type RowProps = { botId: string; scheduled: BotScheduled; onDeleted(): void };

function Row({ botId, scheduled, onDeleted }: RowProps) {
  const { id, content, is_hidden, send_at, state, token } = scheduled;
  const when = whenAhead(new Date(send_at));
  const place = describeRoom(scheduled);
  const remove = async () => {
    await store.call("DELETE /api/admin/bots/:id/scheduled/:scheduled_id", {
      params: { id: botId, scheduled_id: id },
    });
    onDeleted();
    showToast(t("scheduled.is-deleted"));
  };
  const ask = () =>
    askToConfirm({
      title: t("bot-scheduled.delete-title"),
      text: t("bot-scheduled.delete-text", { place, when }),
      action: t("delete"),
      onConfirm: remove,
    });
  return (
    <>
      <div class="grow">
        <p class="entry-text" dir="auto">
          {is_hidden ? (
            <span class="muted">{t("bot-scheduled.hidden")}</span>
          ) : content ? (
            toPlainText(content)
          ) : (
            <span class="muted">{t("bot-scheduled.upload")}</span>
          )}
        </p>
        <p class="muted small words">
          <b dir="auto">{place}</b> ·{" "}
          <time dateTime={send_at} data-tooltip={fullTimeOf(send_at)}>
            {when}
          </time>
          {token && ` · ${t("bot-scheduled.token", { name: token.name, last4: token.last4 })}`}
        </p>
        {state === "failed" && <p class="small words entry-problem">{describeReason(scheduled)}</p>}
      </div>
      {content !== null && (
        <IconButton icon={Copy} label={t("copy-value")} onClick={() => copyText(content)} />
      )}
      <IconButton icon={Trash2} label={t("delete")} onClick={ask} />
    </>
  );
}

function describeRoom({ room: { name } }: BotScheduled): string {
  return name === null ? t("direct.title") : `#${name}`;
}

/** Why a message was not sent, or the code of a reason that only a newer version can explain. */
function describeReason({ reason }: BotScheduled): string {
  return (
    tIfKnown(`bot-scheduled.reason.${reason}`, {}) ??
    t("bot-scheduled.other-reason", { reason: reason ?? "" })
  );
}
