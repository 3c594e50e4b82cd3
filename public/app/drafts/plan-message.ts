import { storage, store } from "../session/store.ts";
import { currentZone } from "../session/time-zone.ts";
import { uploads } from "../session/upload-list.ts";
import { putBackUploads } from "../session/upload-changes.ts";
import { timeOfDay } from "../state/drafts/plan-times.ts";
import { storeIfSpace } from "../connection/storage.ts";

/** The content of the composer, to be scheduled. */
export type Planned = {
  roomId: string;
  threadId?: string | null;
  quoteId?: string | null;
  text: string;
};

const MAX_LAST = 2;
const keyOf = () => `snug.send-times.${store.me.value?.id ?? ""}`;

/** The most recent times of day that were chosen on this device. */
export function lastTimes(): string[] {
  return (storage.getItem(keyOf()) ?? "").split(" ").filter(Boolean);
}

function keepTime(at: Date): void {
  const time = timeOfDay(at);
  const others = lastTimes().filter((other) => other !== time);
  storeIfSpace(storage, keyOf(), [time, ...others].slice(0, MAX_LAST).join(" "));
}

/**
 * Schedules the content of the composer, with its uploads, and empties it.
 * @throws ApiError; the composer keeps its content then
 */
export async function planMessage(planned: Planned, at: Date): Promise<void> {
  const { roomId: room_id, threadId: thread_id, quoteId: quote_id, text } = planned;
  const before = uploads.of(room_id, thread_id);
  const attachments = uploads.take(room_id, thread_id);
  const when = { send_at: at.toISOString(), zone: currentZone() };
  const parts = attachments.length > 0 ? attachments : [null];
  try {
    // Each upload is a message; the first has the text.
    for (const [i, part] of parts.entries()) {
      await store.call("POST /api/scheduled", {
        body: {
          room_id,
          thread_id,
          ...when,
          content: i === 0 ? text : "",
          ...(i === 0 && { quote_id }),
          ...(part?.image && { image_id: part.image.id, image_alt: part.image.alt }),
          ...(part?.file && { file_id: part.file.id }),
          ...(part?.group_id && { group_id: part.group_id }),
        },
      });
    }
  } catch (error) {
    putBackUploads(before);
    throw error;
  }
  keepTime(at);
}
