import { Share2 } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { uploads } from "../session/upload-list.ts";
import { deviceDrafts, writeDraft } from "../session/write-draft.ts";
import { limitWait } from "../connection/clock.ts";
import { forgetShared, SHARED_CACHE } from "../session/forget-tab.ts";
import { Empty } from "../parts/empty.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { roomList } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { t } from "../words/translate.ts";

/** Reading 100 MB takes seconds on a phone. */
const READ_MS = 20_000;

/**
 * Chooses the room for text or files that another app has shared. They become that room's draft and
 * are not sent yet.
 */
export function Share() {
  const [shared, setShared] = useState<Shared | null | undefined>();
  useEffect(() => {
    // Read once: the cached copy is dropped if the reader leaves this screen without choosing.
    void limitWait(readShared, null, READ_MS).then((read) => {
      setShared(read);
      return limitWait(forgetShared, undefined);
    });
  }, []);
  if (shared === undefined) return <div class="pane" aria-busy="true" />;
  const rooms = roomList(store.state.value).filter((room) => !room.is_archived);
  if (!shared || rooms.length === 0) {
    return (
      <section class="pane">
        <PaneHead title={t("share.title")} />
        <Empty
          icon={Share2}
          main
          title={shared ? t("share.no-room") : t("share.nothing")}
          text={shared ? t("share.no-room-text") : nothingText()}
        >
          <a class="button primary" href={shared ? "/browse" : "/"}>
            {shared ? t("shell.browse") : t("shell.to-rooms")}
          </a>
        </Empty>
      </section>
    );
  }
  const choose = (room: MyRoom) => {
    const { content } = deviceDrafts.peek().read(room.id).here;
    writeDraft(room.id, { content: [content, shared.text].filter(Boolean).join("\n") });
    if (shared.files.length > 0) void uploads.add(room.id, shared.files);
    navigateTo(roomPath(room.name), true);
  };
  return (
    <section class="pane">
      <PaneHead title={t("share.to-room")} text={summary(shared)} />
      <div class="page grow scroll">
        <p>
          <a class="button" href="/">
            {t("message.discard")}
          </a>
        </p>
        <ul class="list">
          {rooms.map((room) => (
            <li key={room.id}>
              <button
                type="button"
                class="room-link control muted rounded full"
                onClick={() => choose(room)}
              >
                <RoomIcon room={room} />
                <span class="truncate">{room.name}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function nothingText(): string {
  const problem = new URLSearchParams(location.search);
  if (problem.has("failed")) return t("share.failed");
  return problem.has("too-large") ? t("share.too-large") : t("share.nothing-text");
}

function summary({ text, files }: Shared): string {
  const count = files.length === 0 ? "" : t("share.files", { count: files.length });
  return [text, count].filter(Boolean).join(" · ");
}

/** Text and files that another app has shared to Snug, from the cache of the service worker. */
type Shared = { text: string; files: File[] };

/** @returns null if nothing was shared */
async function readShared(): Promise<Shared | null> {
  if (!("caches" in globalThis)) return null;
  if (!(await limitWait(() => caches.has(SHARED_CACHE), false))) return null;
  const cache = await caches.open(SHARED_CACHE);
  const text = (await (await cache.match("/share/text"))?.text()) ?? "";
  const files: File[] = [];
  for (const request of await cache.keys()) {
    if (!new URL(request.url).pathname.startsWith("/share/files/")) continue;
    const response = await cache.match(request);
    if (!response) continue;
    const name = decodeURIComponent(response.headers.get("x-name") ?? "file");
    files.push(
      new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" }),
    );
  }
  return { text, files };
}
