import { useEffect, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { MessageLine } from "../messages/message-line.tsx";
import { Picture } from "../parts/picture.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

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
