import { CircleAlert } from "lucide";
import { useEffect } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { Failure } from "../connection/api.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { RetryButton } from "../parts/error-text.tsx";
import { reportFirstScreen } from "../parts/first-screen.ts";
import { openDialog } from "../session/overlay.ts";
import { titleOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { directOf } from "../state/model/conversation.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";

type StartProps = {
  room: MyRoom;
  isEmpty: boolean;
};

/** Shown above the first message of a room. In an empty room it also has first steps. */
export function RoomStart({ room, isEmpty }: StartProps) {
  const direct = directOf(room);
  return (
    <li class="start gap-4 stack">
      <h2 dir="auto">
        {isPrivate(room) && <PrivateMark />} {titleOf(room)}
      </h2>
      <p class="muted" dir="auto">
        {describeStart(room, isEmpty)}
      </p>
      {isEmpty && !direct && !room.is_archived && <FirstSteps room={room} />}
    </li>
  );
}

/** Invites people and sets a topic, for those who may, and attaches a first file. */
function FirstSteps({ room }: { room: MyRoom }) {
  const isInCharge = room.membership?.role !== "member";
  const open = (name: "add-member" | "room-settings") => () =>
    openDialog({ name, roomId: room.id });
  return (
    <div class="first-steps buttons">
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
  return t(isEmpty ? "timeline.beginning" : "timeline.start");
}

type MoreProps = {
  view: RoomView;
  direction: "before" | "after";
  onRetry(): void;
  /** Loads more, for when there is nothing to scroll. */
  onMore?: (() => void) | undefined;
};

/**
 * Shown where more messages can be loaded: scrolling loads them, and a button retries after an
 * error.
 */
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
      <RetryButton onRetry={onRetry} />
    </li>
  );
}

/** Shown if none of the messages of a room or thread could be loaded. */
export function LoadFailed({ problem, onRetry }: { problem: Failure; onRetry(): void }) {
  useEffect(reportFirstScreen, []);
  return (
    <Empty icon={CircleAlert} title={t("timeline.not-loaded")} text={describeError(problem)}>
      <RetryButton kind="primary" onRetry={onRetry} />
    </Empty>
  );
}
