import { Copy, Trash2 } from "lucide";
import { PlaceMark, describePlace, pathOfPlace } from "../session/conversation-label.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { TextLine } from "../parts/markdown/text-line.tsx";
import { copyText } from "../session/copy-text.ts";
import { showToast } from "../session/toasts.ts";
import { deviceDrafts, draftSync } from "../session/write-draft.ts";
import { joinBodies } from "../state/drafts/draft-merge.ts";
import type { DraftMark } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";
import { describeDraft, UploadPreview } from "./upload-preview.tsx";

/** A draft in the list; it leads to its room or thread, unless I am no longer in that room. */
export function DraftRow({ draft }: { draft: DraftMark }) {
  const { key, roomId, threadId, room, offer, isEmpty, problem } = draft;
  const copy = deviceDrafts.value.read(key);
  const path = pathOfPlace(roomId, room, threadId);
  const { at, ...visibleBody } = isEmpty && offer ? offer : { ...copy.here, at: copy.at };
  const { content } = visibleBody;
  const copyAction = {
    icon: Copy,
    label: t("message.copy"),
    shortcut: "C",
    onSelect: () => copyText(content),
  };
  const actions: RowAction[] = [
    ...(content === "" ? [] : [copyAction]),
    {
      icon: Trash2,
      label: t("drafts.delete"),
      shortcut: "Delete",
      danger: true,
      onSelect: () => deleteDraft(draft),
    },
  ];
  return (
    <li>
      <ListRow
        href={path}
        mark={<PlaceMark roomId={roomId} />}
        title={describePlace(roomId, room)}
        at={at}
        text={content === "" ? describeDraft(visibleBody) : <TextLine text={content} />}
        actions={actions}
      >
        <UploadPreview {...visibleBody} />
        {!isEmpty && offer && <span class="muted small">{t("drafts.two")}</span>}
        {path && problem && <span class="muted small">{t("drafts.only-here")}</span>}
      </ListRow>
    </li>
  );
}

function deleteDraft({ key, offer }: DraftMark): void {
  const body = deviceDrafts.value.read(key).here;
  const drafts = draftSync.value;
  if (offer) drafts?.choose(key, "discard", offer.version);
  drafts?.clear(key);
  const joinedBody = offer ? joinBodies(body, offer) : body;
  showToast(t("drafts.is-deleted"), () => drafts?.append(key, joinedBody));
}
