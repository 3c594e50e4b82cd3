import { useEffect } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { Failure } from "../connection/api.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { showFirstScreen } from "../parts/first-screen.ts";
import { labelOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { overlay } from "../session/overlay.ts";
import { directOf } from "../state/model/conversation.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";

type StartProps = {
  room: MyRoom;
  /** Whether there is no message yet. */
  isEmpty: boolean;
};

/** Shown above the first message of a room. In an empty room it also has first steps. */
export function RoomStart({ room, isEmpty }: StartProps) {
  const direct = directOf(room);
  return (
    <li class="start stack">
      <h2 dir="auto">
        {isPrivate(room) && !direct ? (
          <>
            <PrivateMark /> {room.name}
          </>
        ) : (
          labelOf(room)
        )}
      </h2>
      <p class="muted" dir="auto">
        {describeStart(room, isEmpty)}
      </p>
      {isEmpty && !direct && !room.is_archived && <FirstSteps room={room} />}
    </li>
  );
}

/** Inviting people and a topic, for those who may; and the first file. */
function FirstSteps({ room }: { room: MyRoom }) {
  const isInCharge = room.membership?.role !== "member";
  const open = (name: "add-member" | "room-settings") => () => {
    overlay.value = { name, roomId: room.id };
  };
  return (
    <div class="buttons">
      {isInCharge && <Button onClick={open("add-member")}>{t("members.add")}</Button>}
      {isInCharge && !room.description && (
        <Button onClick={open("room-settings")}>{t("timeline.add-topic")}</Button>
      )}
      <Button
        onClick={() =>
          document.querySelector<HTMLInputElement>(".composer input[type=file]")?.click()
        }
      >
        {t("timeline.add-file")}
      </Button>
    </div>
  );
}

function describeStart(room: MyRoom, isEmpty: boolean): string {
  const direct = directOf(room);
  if (direct?.kind === "self") return t("direct.notes-start");
  if (direct) return t("direct.start", { names: room.name });
  return room.description ?? t(isEmpty ? "timeline.beginning" : "timeline.start");
}

type MoreProps = {
  view: RoomView;
  direction: "before" | "after";
  onRetry(): void;
  /** Loads more where there may be nothing to scroll. */
  onMore?: (() => void) | undefined;
};

/** Shown where more messages can be loaded. Scrolling loads them; an error can be retried. */
export function LoadMoreRow({ view, direction, onRetry, onMore }: MoreProps) {
  if (onMore && !view.stuck) {
    return (
      <li class="more row">
        <Button onClick={onMore}>{t("timeline.earlier")}</Button>
      </li>
    );
  }
  if (view.stuck?.direction !== direction) {
    return <li class="more row" aria-hidden="true" />;
  }
  return (
    <li class="more row">
      <span class="muted">{describeError(view.stuck.problem)}</span>
      <Button onClick={onRetry}>{t("try-again")}</Button>
    </li>
  );
}

/** Shown if none of the messages of a room or thread could be loaded. */
export function LoadFailed({ problem, onRetry }: { problem: Failure; onRetry(): void }) {
  useEffect(showFirstScreen, []);
  return (
    <Empty title={t("timeline.not-loaded")} text={describeError(problem)}>
      <Button kind="primary" onClick={onRetry}>
        {t("try-again")}
      </Button>
    </Empty>
  );
}
