import { useEffect, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { HEARTH } from "../parts/hearth.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

/**
 * The maximum number of results of a response. The search is for the full name, so few other rooms
 * match.
 */
const MAX_MATCHES = 200;

/**
 * Shown for the address of a room that the reader has not joined. If the room is open, they can
 * join it here; the address stays, so that the message is shown next.
 */
export function OutsideRoom({ room: name }: { room: string }) {
  const room = useOpenRoom(name);
  const action = useAction();
  if (room === undefined) return <div class="pane" aria-busy="true" />;
  const join = () =>
    action.run(async () => {
      if (!room) return;
      const params = { id: room.id };
      await store.call("POST /api/rooms/:id/join", { params });
    });
  return (
    <section class="pane">
      <PaneHead title={`#${name}`} />
      <Empty icon={HEARTH} title={t("shell.not-in", { room: name })} text={describe(name, room)}>
        {action.error && <ErrorText>{action.error}</ErrorText>}
        {room ? (
          <Button kind="primary" busy={action.busy} onClick={() => void join()}>
            {t("shell.join", { room: name })}
          </Button>
        ) : (
          <a class="button primary" href="/browse">
            {t("shell.browse")}
          </a>
        )}
      </Empty>
    </section>
  );
}

function describe(name: string, room: MyRoom | null): string {
  if (store.live.removedFromRoom.value?.name === name) return t("shell.removed");
  if (!room) return t("shell.unknown");
  const about = [room.description, t("browse.about", { count: room.member_count })];
  return [...about.filter(Boolean), t("shell.may-join")].join(" · ");
}

/** The open room of this name; undefined while it loads, null if no open room has it. */
function useOpenRoom(name: string): MyRoom | null | undefined {
  const [room, setRoom] = useState<MyRoom | null>();
  useEffect(() => {
    const query = { query: name, limit: MAX_MATCHES };
    store.call("GET /api/rooms/browse", { query }).then(
      ({ items }) => setRoom(items.find((item) => item.name === name) ?? null),
      () => setRoom(null),
    );
  }, [name]);
  return room;
}

const DELAY_MS = 2_000;

/**
 * Says above placeholders that the messages load later: at once if the device has no network, and
 * otherwise after two seconds without a connection, like the banner, which screen readers announce.
 */
export function Offline() {
  const isOpen = store.status.value === "open";
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    setCut(!isOpen && !navigator.onLine);
    if (isOpen) return;
    const timer = setTimeout(() => setCut(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  if (!isCut) return null;
  return (
    <li class="start muted">
      <p>{t("timeline.loads-later")}</p>
    </li>
  );
}
