import { SquarePen } from "lucide";
import { Button, IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { openDirectWith } from "../session/open-direct.ts";
import { overlay } from "../session/overlay.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { directList } from "../state/model/model.ts";
import { DirectRow } from "./direct-row.tsx";
import { useLastMessages } from "./last-messages.ts";
import { t } from "../words/translate.ts";

const newMessage = () => {
  overlay.value = { name: "new-message" };
};

/** All conversations that are not hidden, old ones too; on a phone it is the tab "Direct". */
export function DirectHome() {
  const isLoaded = store.state.value.conversations !== null;
  const list = directList(store.state.value);
  const last = useLastMessages(list);
  return (
    <section class="pane">
      <PaneHead title={t("direct.title")}>
        <IconButton icon={SquarePen} label={t("direct.new-key")} onClick={newMessage} />
      </PaneHead>
      {!isLoaded && <div class="loading" role="status" aria-label={t("loading")} />}
      {isLoaded && list.length === 0 && (
        <Empty title={t("direct.none")} text={t("direct.none-text")}>
          <Button kind="primary" onClick={newMessage}>
            {t("direct.new")}
          </Button>
          <Button onClick={() => openDirectWith([])}>{t("direct.notes-begin")}</Button>
        </Empty>
      )}
      {list.length > 0 && (
        <div class="page">
          <ul class="direct-list" aria-label={t("direct.title")}>
            {list.map((room) => (
              <DirectRow key={room.id} room={room} isOpen={false} last={last.get(room.id) ?? ""} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
