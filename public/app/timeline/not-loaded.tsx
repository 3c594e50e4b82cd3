import type { MyRoom } from "../../../src/wire/models.ts";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { PendingRows } from "../messages/pending.tsx";
import type { RoomView } from "../state/model/model.ts";
import { LoadFailed } from "./ends.tsx";
import { History } from "./history.tsx";
import type { ComponentChildren } from "preact";
import { t } from "../words/translate.ts";

type NotLoadedProps = {
  room: MyRoom;
  view: RoomView;
  pending: OutboxEntry[];
  /** As for `History`. */
  inThread?: string;
  onRetry(): void;
};

/** In place of messages that are loading or could not be loaded, with what was sent meanwhile below. */
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

const WIDTHS = [62, 38, 74, 51, 66, 30];

/** The placeholder of messages that are loading, above those that are there already. */
function TimelineSkeleton({ children }: { children?: ComponentChildren }) {
  return (
    <div class="timeline" aria-busy="true">
      <p class="visually-hidden">{t("timeline.loading")}</p>
      <ol>
        {WIDTHS.map((width) => (
          <li key={width} class="message head">
            <span class="skeleton" style={{ width: "36px", height: "36px", borderRadius: "50%" }} />
            <span>
              <span
                class="skeleton"
                style={{ display: "block", width: "120px", height: "14px", marginBottom: "8px" }}
              />
              <span
                class="skeleton"
                style={{ display: "block", width: `${width}%`, height: "14px" }}
              />
            </span>
          </li>
        ))}
        {children}
      </ol>
    </div>
  );
}
