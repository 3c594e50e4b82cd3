import { useState } from "preact/hooks";
import { MAX_DIRECT_MEMBERS } from "../../../src/wire/limits.ts";
import type { User } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { nameOfDirect, openDirectWith } from "../session/direct.ts";
import { store } from "../session/store.ts";
import { directWith } from "../state/conversations/directs.ts";
import { ChoosePeople } from "./choose-people.tsx";
import { Faces } from "../session/faces.tsx";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

/**
 * Chooses the people to write to. A conversation with exactly these people is offered as they are
 * chosen.
 */
export function NewMessage({ people = [], onClose }: DialogProps<"new-message">) {
  const [chosen, setChosen] = useState<User[]>(people);
  const me = store.me.value?.id ?? "";
  const existing =
    chosen.length > 0
      ? directWith(
          store.state.value,
          chosen.map(({ id }) => id),
        )
      : undefined;
  const open = () => {
    onClose();
    openDirectWith(chosen);
  };
  return (
    <Dialog title={t("direct.new")} onClose={onClose}>
      <p class="muted">{t("direct.new-text")}</p>
      <ChoosePeople
        chosen={chosen}
        without={[me]}
        most={MAX_DIRECT_MEMBERS - 1}
        onChange={setChosen}
        onDone={open}
      />
      {existing && (
        <button type="button" class="choice hover gap-12 rounded known-direct full" onClick={open}>
          <Faces direct={existing.direct} size={24} />
          <span class="grow truncate" dir="auto">
            {nameOfDirect(existing.direct)}
          </span>
          <span class="tag">{t("direct.exists")}</span>
        </button>
      )}
      <div class="actions">
        <Button
          onClick={() => {
            onClose();
            openDirectWith([]);
          }}
        >
          {t("direct.notes")}
        </Button>
        <Button kind="primary" disabled={chosen.length === 0} onClick={open}>
          {t("direct.open")}
        </Button>
      </div>
    </Dialog>
  );
}
