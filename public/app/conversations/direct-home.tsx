import { SquarePen } from "lucide";
import { Button, IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { openDirectWith } from "../session/direct.ts";
import { overlay } from "../session/overlay.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { directList } from "../state/model/model.ts";
import { DirectRow } from "./direct-row.tsx";
import { t } from "../words/translate.ts";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Direct } from "../../../src/wire/models.ts";
import { nameOf } from "../session/person.tsx";
import type { DirectRoom } from "../state/model/conversation.ts";
import { Load } from "../state/load.ts";

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

/** The largest page of the service; older conversations show no text. */
const PAGE_SIZE = 200;

/**
 * The beginning of each conversation's last message, by the conversation's id: loaded for the list that
 * shows it, and again after a change in one of them.
 */
function useLastMessages(list: DirectRoom[]): Map<string, string> {
  const [last, setLast] = useState(new Map<string, string>());
  const load = useMemo(
    () =>
      new Load({
        clock: store.clock,
        fetch: (signal) =>
          store.call(
            "GET /api/direct",
            { query: { last_message: "true", limit: PAGE_SIZE } },
            { signal },
          ),
        land: ({ items }) => setLast(new Map(items.map((direct) => [direct.id, describe(direct)]))),
      }),
    [],
  );
  useEffect(() => () => load.cancel(), []);
  const changes = list.map(({ id, seq }) => `${id} ${seq}`).join();
  useEffect(() => load.ask(), [changes]);
  return last;
}

function describe({ kind, members, last_message }: Direct): string {
  if (!last_message) return "";
  const { author_id, excerpt } = last_message;
  const text = excerpt || t("pin.no-text");
  if (kind === "self") return text;
  if (author_id === store.me.value?.id) return t("direct.last-mine", { text });
  const author = members.find(({ user }) => user.id === author_id)?.user;
  if (kind === "pair" || !author) return text;
  return t("direct.last-of", { name: nameOf(author), text });
}
