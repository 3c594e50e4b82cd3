import { CalendarClock, CircleAlert } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { getRest, quietRest } from "../parts/load-rest.tsx";
import { whenAhead } from "../parts/times.ts";
import { upcoming } from "../session/personal-signals.ts";
import { store } from "../session/store.ts";
import { draftKey } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";

const DraftOffer = quietRest("DraftOffer");

type NotesProps = {
  roomId: string;
  threadId?: string | null;
  area: { current: HTMLElement | null };
};

/** The lines above the composer: another device's draft, and scheduled messages. */
export function ComposerNotes({ roomId, threadId = null, area }: NotesProps) {
  const key = draftKey({ roomId, threadId });
  const draft = store.state.value.personal.drafts?.[key];
  return (
    <>
      {draft?.offer && <DraftOffer draft={draft} area={area.current} />}
      <ScheduledLine roomId={roomId} threadId={threadId} />
    </>
  );
}

type LineProps = { roomId: string; threadId: string | null };

/** The number of scheduled messages that wait here or have failed, linked to the list. */
function ScheduledLine({ roomId, threadId }: LineProps) {
  const here = upcoming.value.filter(
    (entry) => entry.room_id === roomId && entry.thread_id === threadId,
  );
  const waiting = here.filter(({ state }) => state === "waiting");
  const [failure] = here.filter(({ state }) => state === "failed");
  const [next = ""] = waiting.map(({ send_at }) => send_at).sort();
  if (failure) {
    return (
      <a class="scheduled-line reach row small danger" href="/drafts">
        <Icon of={CircleAlert} />
        <span>{getRest()?.describeFailure(failure)}</span>
      </a>
    );
  }
  if (waiting.length === 0) return null;
  return (
    <a class="scheduled-line reach row muted small" href="/drafts">
      <Icon of={CalendarClock} />
      <span>{t("scheduled.line", { count: waiting.length, when: whenAhead(new Date(next)) })}</span>
    </a>
  );
}
