import { Copy, Pencil, Trash2 } from "lucide";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { agoOf, fullTimeOf } from "../parts/times.ts";
import { copyText } from "../session/copy-text.ts";
import { describePlace } from "../session/describe-kept.ts";
import { keeping } from "../session/keeping.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import type { DraftEntry } from "../state/draft-sync.ts";
import { placeById } from "../state/place-by-id.ts";
import { placePath, threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** A draft: it leads to where it belongs, unless that is a room that I am no longer in. */
export function DraftRow({ entry }: { entry: DraftEntry }) {
  const { key, roomId, threadId, text, at, offer, problem } = entry;
  const room = placeById(store.state.value, roomId);
  const shown = text || (offer?.content ?? "");
  const remove = () => {
    const drafts = keeping.value?.drafts;
    if (offer) drafts?.choose(key, "discard", offer.version);
    drafts?.clear(key);
    const both = [text, offer?.content ?? ""].filter((part) => part !== "").join("\n");
    showToast(t("drafts.is-deleted"), () => drafts?.append(key, both));
  };
  const inner = (
    <>
      <Icon of={Pencil} />
      <span class="grow">
        <span class="entry-head">
          <b class="truncate" dir="auto">
            {describePlace(roomId)}
          </b>
          <time class="muted small" dateTime={at} title={fullTimeOf(at)}>
            {agoOf(at)}
          </time>
        </span>
        <span class="entry-text" dir="auto">
          {shown}
        </span>
        {text !== "" && offer && <span class="muted small">{t("drafts.two")}</span>}
        {room && problem && <span class="muted small">{t("drafts.only-here")}</span>}
      </span>
    </>
  );
  return (
    <li>
      {room ? (
        <a class="entry" href={threadId ? threadPath(room.name, threadId) : placePath(room)}>
          {inner}
        </a>
      ) : (
        <div class="entry">{inner}</div>
      )}
      <span class="entry-actions">
        <IconButton icon={Copy} label={t("message.copy")} onClick={() => copyText(shown)} />
        <IconButton icon={Trash2} label={t("drafts.delete")} onClick={remove} />
      </span>
    </li>
  );
}
