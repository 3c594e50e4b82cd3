import { useEffect } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { Failure } from "../connection/api.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { showFirstScreen } from "../parts/first-screen.ts";
import { labelOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { directOf } from "../state/model/conversation.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";

/** Shown above the first message of a room. */
export function RoomStart({ room }: { room: MyRoom }) {
  return (
    <li class="start stack">
      <h2 dir="auto">
        {isPrivate(room) && !directOf(room) ? (
          <>
            <PrivateMark /> {room.name}
          </>
        ) : (
          labelOf(room)
        )}
      </h2>
      <p class="muted" dir="auto">
        {describeStart(room)}
      </p>
    </li>
  );
}

function describeStart(room: MyRoom): string {
  const direct = directOf(room);
  if (!direct) return room.description ?? t("timeline.beginning");
  return direct.kind === "self" ? t("direct.notes-start") : t("direct.start", { names: room.name });
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
