import { Pin, PinOff } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { UploadPreview } from "../drafts/upload-preview.tsx";
import { senderOf } from "../messages/message-author.tsx";
import { MessageLine } from "../messages/message-line.tsx";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListRow } from "../parts/list-row.tsx";
import { Listing } from "../parts/listing.tsx";
import { Picture } from "../parts/picture.tsx";
import { formatAgo } from "../parts/times.ts";
import { ONE_PANE } from "../parts/use-media.ts";
import { Avatar, nameOf } from "../session/person.tsx";
import { mayPin, togglePin } from "../session/pins.ts";
import { store } from "../session/store.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { usePages } from "../session/use-pages.ts";
import type { MessageOf } from "../state/live-items.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const ITSELF: MessageOf<Message> = {
  read: (message) => message,
  write: (_, message) => message,
};

export function PinList({ room }: { room: MyRoom }) {
  const list = usePages("GET /api/rooms/:id/pins", { params: { id: room.id } });
  const pages = useLivePages(list, ITSELF);
  const lastPins = useRef("");
  const now = JSON.stringify([room.pin_count, room.newest_pin]);
  useEffect(() => {
    // The first page is loaded automatically.
    if (lastPins.current !== "" && lastPins.current !== now) void list.reload();
    lastPins.current = now;
  }, [now]);
  return (
    <Listing
      label={t("pin.title")}
      pages={pages}
      empty={<Empty icon={Pin} title={t("pin.none")} text={t("pin.none-text")} />}
      keyOf={({ id }) => id}
    >
      {(message) => <PinRow room={room} message={message} />}
    </Listing>
  );
}

/** Preserves the line breaks of code. */
const LINES = { "--lines": 6, whiteSpace: "pre-wrap" };

function PinRow({ room, message }: { room: MyRoom; message: Message }) {
  const { id, author, content, created_at, file, image, pinned } = message;
  // A sheet over the room would hide the message.
  const query = matchMedia(ONE_PANE).matches ? "" : "?panel=pins";
  const unpin = () => togglePin(message);
  return (
    <ListRow
      href={placePath(room, id) + query}
      mark={<Avatar user={author} size={32} />}
      title={senderOf(message)}
      at={created_at}
      actions={
        mayPin(room, message)
          ? [{ icon: PinOff, label: t("pin.unpin"), shortcut: "P", onSelect: unpin }]
          : []
      }
    >
      <span class="clamp muted" style={LINES} dir="auto">
        <MessageLine message={message} />
      </span>
      <UploadPreview content={content} file={file} image={image} />
      {pinned && (
        <span class="muted small">
          <Icon of={Pin} /> {describePin(pinned)}
        </span>
      )}
    </ListRow>
  );
}

function describePin({ by, at }: NonNullable<Message["pinned"]>): string {
  return t("pin.by", { name: nameOf(by), when: formatAgo(at) });
}

const PICTURE = { objectFit: "cover", marginInlineEnd: "8px", verticalAlign: "middle" } as const;

/** The newest pin of a room if it is an image or a file without a text. */
export function PinnedUpload({ room: { id, newest_pin } }: { room: MyRoom }) {
  const [message, setMessage] = useState<Message | null>(null);
  const pinnedId = newest_pin?.message_id;
  useEffect(() => {
    let isCurrent = true;
    store.call("GET /api/rooms/:id/pins", { params: { id }, query: { limit: 1 } }).then(
      ({ items }) => isCurrent && setMessage(items.find((item) => item.id === pinnedId) ?? null),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [id, pinnedId]);
  if (!message) return t("pin.no-text");
  return (
    <>
      {message.image && (
        <Picture
          class="rounded"
          src={`${message.image.url}?size=thumb`}
          style={PICTURE}
          width={28}
          height={28}
        >
          {null}
        </Picture>
      )}
      <MessageLine message={message} />
    </>
  );
}
