import { Copy, Pencil, Trash2 } from "lucide";
import { IconButton } from "../parts/button.tsx";
import { Entry } from "../parts/entry.tsx";
import { Icon } from "../parts/icon.tsx";
import { copyText } from "../session/copy-text.ts";
import { describePlace, pathOfPlace } from "../session/describe-kept.ts";
import { keeping } from "../session/kept-lists.ts";
import { showToast } from "../session/toasts.ts";
import { isEmptyBody, joinBodies } from "../state/drafts/draft-merge.ts";
import type { DraftEntry } from "../state/drafts/draft-copies.ts";
import { t } from "../words/translate.ts";
import { describeDraft } from "./describe-draft.ts";

/** A draft in the list; it leads to its room or thread, unless I am no longer in that room. */
export function DraftRow({ entry }: { entry: DraftEntry }) {
  const { key, roomId, threadId, room, body, at, offer, problem } = entry;
  const path = pathOfPlace(roomId, room, threadId);
  const isEmpty = isEmptyBody(body);
  const visibleBody = isEmpty && offer ? offer : body;
  const remove = () => {
    const drafts = keeping.value?.drafts;
    if (offer) drafts?.choose(key, "discard", offer.version);
    drafts?.clear(key);
    const both = offer ? joinBodies(body, offer) : body;
    showToast(t("drafts.is-deleted"), () => drafts?.append(key, both));
  };
  return (
    <li>
      <Entry
        href={path}
        mark={<Icon of={Pencil} />}
        title={describePlace(roomId, room)}
        at={at}
        text={describeDraft(visibleBody)}
      >
        {!isEmpty && offer && <span class="muted small">{t("drafts.two")}</span>}
        {path && problem && <span class="muted small">{t("drafts.only-here")}</span>}
      </Entry>
      <span class="entry-actions">
        {visibleBody.content !== "" && (
          <IconButton
            icon={Copy}
            label={t("message.copy")}
            onClick={() => copyText(visibleBody.content)}
          />
        )}
        <IconButton icon={Trash2} label={t("drafts.delete")} onClick={remove} />
      </span>
    </li>
  );
}
