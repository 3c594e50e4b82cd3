import { CalendarClock, CalendarDays } from "lucide";
import { MenuList } from "../parts/menu-list.tsx";
import { whenAhead, whenLabel } from "../parts/times.ts";
import type { Anchor } from "../parts/use-popover.ts";
import { openDialog } from "../session/overlay.ts";
import { showError, showToast } from "../session/toasts.ts";
import { sendTimes, timeOfDay } from "../state/drafts/plan-times.ts";
import { t } from "../words/translate.ts";
import { storage, store } from "../session/store.ts";
import { currentZone } from "../session/time-zone.ts";
import { uploads } from "../session/upload-list.ts";
import { putBackUploads } from "../session/upload-changes.ts";
import { storeIfSpace } from "../connection/storage.ts";

type TimesProps = {
  planned: Planned;
  anchor: Anchor | null;
  /** Called when the message is scheduled, to empty the composer. */
  onPlanned(): void;
  onClose(): void;
};

/** The menu beside Send: sends later, at one of the last two times or a common one. */
export function SendTimes({ planned, anchor, onPlanned, onClose }: TimesProps) {
  const plan = (at: Date) =>
    planMessage(planned, at).then(() => {
      onPlanned();
      showToast(t("scheduled.done", { when: whenAhead(at) }));
    });
  const now = new Date();
  const items = sendTimes(now, lastTimes()).map(({ key, at }) => ({
    label: key === "hour" ? t("time.hour") : whenLabel(at, now),
    icon: CalendarClock,
    onSelect: () => void plan(at).catch(showError),
  }));
  const own = () => openDialog({ name: "plan", onPlan: plan });
  return (
    <MenuList
      label={t("scheduled.menu")}
      items={[...items, { label: t("scheduled.own"), icon: CalendarDays, onSelect: own }]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

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
function lastTimes(): string[] {
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
async function planMessage(planned: Planned, at: Date): Promise<void> {
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
