import type { MyRoom } from "../../../src/wire/models.ts";
import { PendingRows } from "../messages/pending.tsx";
import type { RoomView } from "../state/model/model.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { SkeletonRows } from "../parts/skeleton.tsx";
import { LoadFailed } from "./ends.tsx";
import { History } from "./history.tsx";
import type { ComponentChildren } from "preact";
import { t } from "../words/translate.ts";
import type { OutboxEntry } from "../connection/outbox.ts";

const Offline = quietRest("Offline");

type NotLoadedProps = {
  room: MyRoom;
  view: RoomView;
  pending: OutboxEntry[];
  /** As in `History`. */
  inThread?: string;
  onRetry(): void;
};

/** Shown while messages are loading or after they failed to load, above messages sent meanwhile. */
export function NotLoaded(props: NotLoadedProps) {
  const { room, view, pending, inThread, onRetry } = props;
  const { messages, problem } = view;
  const isEmpty = messages.length === 0 && pending.length === 0;
  const outgoing = !isEmpty && (
    <>
      <History
        room={room}
        messages={messages}
        tail={[]}
        marked={null}
        firstUnread={undefined}
        {...(inThread && { inThread })}
      />
      <PendingRows entries={pending} last={messages.at(-1)} />
    </>
  );
  if (!problem) return <TimelineSkeleton>{outgoing}</TimelineSkeleton>;
  const failure = <LoadFailed problem={problem} onRetry={onRetry} />;
  if (!outgoing) return failure;
  return (
    <div class="timeline">
      <ol>
        <li>{failure}</li>
        {outgoing}
      </ol>
    </div>
  );
}

/** The placeholder for messages that are loading, above those that are already there. */
function TimelineSkeleton({ children }: { children?: ComponentChildren }) {
  return (
    <div class="timeline" aria-busy="true">
      <p class="visually-hidden">{t("timeline.loading")}</p>
      <ol>
        <Offline />
        <SkeletonRows row="message head" />
        {children}
      </ol>
    </div>
  );
}
