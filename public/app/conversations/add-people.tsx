import { useState } from "preact/hooks";
import { MAX_DIRECT_MEMBERS } from "../../../src/wire/limits.ts";
import type { User } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { openDirectWith } from "../session/direct.ts";
import type { DialogProps } from "../session/overlay.ts";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { partnersOf } from "../state/model/conversation.ts";
import { formatList, t } from "../words/translate.ts";
import { ChoosePeople } from "./choose-people.tsx";

/**
 * Adds people to a group, where they then see all of its messages, or starts a new conversation
 * with them; the dialog explains both. A conversation of two never becomes a group.
 */
export function AddPeople({ room, onClose }: DialogProps<"add-people">) {
  const [chosen, setChosen] = useState<User[]>([]);
  const action = useAction();
  const { direct } = room;
  const isGroup = direct.kind === "group" && !room.is_archived;
  const names = formatList(chosen.map(nameOf));
  const add = () =>
    action.run(async () => {
      for (const { id } of chosen) {
        const input = { params: { id: room.id }, body: { user_id: id } };
        await store.call("POST /api/direct/:id/members", input);
      }
      showToast(t("direct.is-added", { names }));
      onClose();
    });
  const begin = () => {
    onClose();
    openDirectWith([...partnersOf(direct, store.me.value?.id), ...chosen]);
  };
  const isReady = chosen.length > 0;
  return (
    <Dialog title={t("direct.add")} onClose={onClose}>
      <ChoosePeople
        chosen={chosen}
        without={direct.members.map(({ user }) => user.id)}
        most={MAX_DIRECT_MEMBERS - direct.members.length}
        onChange={setChosen}
        onDone={isGroup ? () => void add() : begin}
      />
      {isGroup && isReady && (
        <p>
          {t("direct.add-text", {
            names,
            since: fullTimeOf(room.created_at),
          })}
        </p>
      )}
      {(isReady || !isGroup) && (
        <p class="muted">{isGroup ? t("direct.new-group-text") : t("direct.two-stay-two")}</p>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button kind={isGroup ? undefined : "primary"} disabled={!isReady} onClick={begin}>
          {t("direct.start-new")}
        </Button>
        {isGroup && (
          <Button kind="primary" disabled={!isReady} busy={action.busy} onClick={() => void add()}>
            {t("direct.add-here")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
