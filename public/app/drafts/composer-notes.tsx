import { store } from "../session/store.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { ScheduledLine } from "./scheduled-line.tsx";
import { placeKey } from "../state/model/draft-copy.ts";

const DraftOffer = quietRest("DraftOffer");

type NotesProps = {
  roomId: string;
  threadId?: string | null;
  area: { current: HTMLElement | null };
};

/** The lines above the composer: another device's draft, and scheduled messages. */
export function ComposerNotes({ roomId, threadId = null, area }: NotesProps) {
  const key = placeKey({ roomId, threadId });
  const draft = store.state.value.personal.drafts?.[key];
  return (
    <>
      {draft?.offer && <DraftOffer draft={draft} area={area.current} />}
      <ScheduledLine roomId={roomId} threadId={threadId} />
    </>
  );
}
