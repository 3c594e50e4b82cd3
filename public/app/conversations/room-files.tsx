import { FileText } from "lucide";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../src/wire/models.ts";
import { BrokenIcon, FileDownload, FileIcon } from "../messages/attachments/file.tsx";
import { altOf, senderOf } from "../messages/message-author.tsx";
import { Empty } from "../parts/empty.tsx";
import { ListRow } from "../parts/list-row.tsx";
import { Listing } from "../parts/listing.tsx";
import { Picture } from "../parts/picture.tsx";
import { sizeOf } from "../parts/sizes.ts";
import { asBeginning, formatShortAgo, fullTimeOf } from "../parts/times.ts";
import { ONE_PANE } from "../parts/use-media.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { usePages } from "../session/use-pages.ts";
import type { Conversation } from "../state/model/conversation.ts";
import { messageField } from "../state/live-items.ts";
import { messagePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const MAX_CAPTION = 120;

/** The images and files of a room or a direct conversation, the newest first. */
export function RoomFiles({ room }: { room: Conversation }) {
  const list = usePages("GET /api/search/messages", {
    query: { room_id: room.id, has: ["attachment"] },
  });
  const pages = useLivePages(list, messageField());
  return (
    <Listing
      label={t("panel.files")}
      pages={pages}
      empty={<Empty icon={FileText} title={t("files.none")} text={t("files.none-text")} />}
      keyOf={({ message }) => message.id}
    >
      {({ message }) => <FileRow room={room} message={message} />}
    </Listing>
  );
}

/** Names may wrap to two lines; the titles of other rows have one line. */
const WRAPS = { whiteSpace: "normal" };

function FileRow({ room, message }: { room: Conversation; message: Message }) {
  const { file, image, content, created_at: at } = message;
  const caption = image?.alt ?? makeExcerpt(content, MAX_CAPTION);
  // The name of an image without a caption already says who posted it.
  const sender = (file || caption) && senderOf(message);
  const name = file?.name ?? (caption || asBeginning(altOf(message)));
  const shared = file ?? image;
  // A sheet over the room would hide the message, and a thread replaces the panel.
  const query = matchMedia(ONE_PANE).matches || message.thread_id ? "" : "?panel=files";
  return (
    <ListRow
      aside={shared && <FileDownload file={{ name, url: shared.url }} />}
      href={messagePath(room, message) + query}
      mark={<Thumbnail message={message} />}
      title={
        <span class="clamp" style={WRAPS}>
          {name}
        </span>
      }
      text={
        <span class="flex small">
          <span class="truncate">{sender}</span>
          <span class="rigid">
            {sender && "\u00a0· "}
            <time dateTime={at} data-tooltip={fullTimeOf(at)}>
              {formatShortAgo(at)}
            </time>
            {shared && ` · ${sizeOf(shared.size_bytes)}`}
          </span>
        </span>
      }
    />
  );
}

function Thumbnail({ message: { image, file } }: { message: Message }) {
  return (
    <span class="thumbnail grid middle muted rounded framed">
      {image ? (
        <Picture src={`${image.url}?size=thumb`}>
          <BrokenIcon />
        </Picture>
      ) : (
        <FileIcon mime={file?.mime ?? ""} />
      )}
    </span>
  );
}
