import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { longPress } from "../parts/long-press.ts";
import { getRest } from "../parts/load-rest.tsx";
import { memo } from "../parts/memo.tsx";
import { FOLDED_TILES } from "../state/timeline/timeline-rows.ts";
import { isSameRoom } from "../state/model/model.ts";
import { focused, hovered, rowKey } from "./active-message.ts";
import { MessageImage } from "./attachments/image.tsx";
import { MessageTools, openSheet } from "./message.tsx";
import { altOf, senderOf } from "./message-author.tsx";
import { Reactions } from "./reactions.tsx";
import { t } from "../words/translate.ts";
import type { OutboxEntry } from "../connection/outbox.ts";

type GalleryProps = {
  room: MyRoom;
  messages: Message[];
  /** Pictures of the same group that are not stored yet. */
  pending: OutboxEntry[];
  /** The id of the message in the page's address. */
  marked: string | null;
  /** The message that Tab focuses, if it is in this gallery. */
  last: Message | undefined;
  inThread?: string;
};

/** Pictures that were sent together. Each is a message with its own actions and reactions. */
export function Gallery({ room, messages, pending, marked, last, inThread }: GalleryProps) {
  const [isOpen, setOpen] = useState(false);
  const count = messages.length + pending.length;
  // A link to a picture that would be folded unfolds the gallery.
  const isLinked = messages.slice(FOLDED_TILES).some(({ id }) => id === marked);
  const folded = isOpen || isLinked || count <= FOLDED_TILES ? 0 : count - FOLDED_TILES;
  return (
    <li class="gallery relative">
      <ol class={tilesClass(count)}>
        {messages.map((message, i) => (
          <MessageTile
            key={message.id}
            room={room}
            message={message}
            isPart={i === 0 && Boolean(message.content)}
            isFolded={folded > 0 && i >= FOLDED_TILES}
            marked={message.id === marked}
            first={message === last}
            inThread={inThread}
          />
        ))}
        <PendingTiles
          entries={
            isOpen || isLinked
              ? pending
              : pending.slice(0, Math.max(0, FOLDED_TILES - messages.length))
          }
        />
      </ol>
      {folded > 0 && (
        <button type="button" class="unfold strong rounded" onClick={() => setOpen(true)}>
          {t("count-more", { count: folded })}
        </button>
      )}
    </li>
  );
}

/** A gallery of which no picture is stored yet. */
export function PendingGallery({ entries }: { entries: OutboxEntry[] }) {
  return (
    <li class="gallery relative">
      <ol class={tilesClass(entries.length)}>
        <PendingTiles entries={entries.slice(0, FOLDED_TILES)} />
      </ol>
      {entries.length > FOLDED_TILES && (
        <span class="unfold strong rounded">
          {t("count-more", { count: entries.length - FOLDED_TILES })}
        </span>
      )}
    </li>
  );
}

function PendingTiles({ entries }: { entries: OutboxEntry[] }) {
  return entries.map(
    ({ client_id, image }) =>
      image && (
        <li key={client_id} class="tile" data-state="pending">
          <MessageImage image={image} alt={image.alt ?? t("message.your-image")} isTile />
        </li>
      ),
  );
}

/** Two columns where that fills the rows, otherwise three. */
function tilesClass(count: number): string {
  return count === 2 || count === 4 ? "tiles by-two grid gap-4" : "tiles grid gap-4";
}

type TileProps = {
  room: MyRoom;
  message: Message;
  /** Whether the message's text has its own row. */
  isPart: boolean;
  /** Whether the picture is in the page but not shown: read marks need all messages. */
  isFolded: boolean;
  marked: boolean;
  first: boolean;
  inThread?: string;
};

const MessageTile = memo(function MessageTile(props: TileProps) {
  const { room, message, isPart, isFolded, marked, first, inThread } = props;
  const { id, image } = message;
  const key = rowKey(id, inThread);
  const isActive = useComputed(() => hovered.value === key || focused.value === key).value;
  const classes = isFolded ? "tile folded" : "tile";
  const picture = image && <MessageImage image={image} alt={altOf(message)} isTile />;
  const press = longPress(
    (row) => openSheet(row, message, inThread),
    (event) => getRest()?.openMessageMenu(event, room, message, inThread),
  );
  if (isPart) {
    return (
      <li class={classes} data-part-of={key} aria-current={marked || undefined} {...press}>
        {picture}
      </li>
    );
  }
  return (
    <li
      class={classes}
      data-message-id={id}
      data-row={key}
      data-seq={message.seq}
      data-state="sent"
      aria-current={marked || undefined}
      tabIndex={first ? 0 : -1}
      {...press}
    >
      <span class="visually-hidden">{senderOf(message)}: </span>
      {!isFolded && picture}
      <Reactions message={message} disabled={room.is_archived} />
      {isActive && !isFolded && <MessageTools room={room} message={message} inThread={inThread} />}
    </li>
  );
}, isSameTile);

function isSameTile(a: TileProps, b: TileProps): boolean {
  const keys = ["message", "isPart", "isFolded", "marked", "first", "inThread"] as const;
  return keys.every((key) => a[key] === b[key]) && isSameRoom(a.room, b.room);
}
