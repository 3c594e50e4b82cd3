import { keeping } from "../session/kept-lists.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { placeKey } from "../state/drafts/place-key.ts";
import { ScheduledLine } from "./scheduled-line.tsx";

const DraftOffer = quietRest("DraftOffer");

type NotesProps = {
  roomId: string;
  threadId?: string | null;
  area: { current: HTMLElement | null };
};

/** The lines above the composer: another device's draft, and scheduled messages. */
export function ComposerNotes({ roomId, threadId = null, area }: NotesProps) {
  const key = placeKey({ roomId, threadId });
  const entry = keeping.value?.drafts.entries.value.find((entry) => entry.key === key);
  return (
    <>
      {entry?.offer && <DraftOffer entry={entry} area={area.current} />}
      <ScheduledLine roomId={roomId} threadId={threadId} />
    </>
  );
}
