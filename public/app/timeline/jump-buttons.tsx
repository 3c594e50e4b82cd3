import { ArrowDown } from "lucide";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { formatUpTo } from "../parts/unread-badge.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { atTime, dayKey, timeOf } from "../parts/times.ts";
import { MAX_UNREAD } from "../../../src/wire/limits.ts";
import { t } from "../words/translate.ts";
import { signal } from "@preact/signals";

type UnreadBarProps = {
  since: string;
  count: number | null;
  onGo(): void;
  /** Null if the newest message is visible. */
  onLatest: (() => void) | null;
  onRead(): void;
};

/** A bar at the top of a room that was opened with unread messages, until they are read. */
export function UnreadBar({ since, count, onGo, onLatest, onRead }: UnreadBarProps) {
  const isToday = dayKey(since) === new Date().toDateString();
  const when = isToday ? timeOf(since) : atTime(since);
  const isPhone = useMedia(PHONE);
  const describe = (short: string) =>
    count
      ? t("timeline.new-count", { count: formatUpTo(count, MAX_UNREAD - 1), when, short })
      : t("timeline.new-since", { when });
  return (
    <div class="unread-bar border-bottom absolute surface small flex middle">
      <Button kind="bare" label={describe("")} onClick={onGo}>
        {describe(`${isPhone}`)}
      </Button>
      {onLatest && (
        <Button kind="bare" onClick={onLatest}>
          {t("timeline.to-latest")}
        </Button>
      )}
      <Button
        kind="bare"
        data-tooltip={t("action.mark-read")}
        aria-keyshortcuts="Escape"
        onClick={onRead}
      >
        {t("action.mark-read")}
      </Button>
    </div>
  );
}

/** A button shown while the newest message is below the visible part. */
export function LatestButton({ missed, onGo }: { missed: number; onGo(): void }) {
  return (
    <div class="pill flex absolute">
      <Button kind="primary" onClick={onGo}>
        <Icon of={ArrowDown} />
        {missed > 0 ? t("timeline.count-new", { count: missed }) : t("timeline.to-latest")}
      </Button>
    </div>
  );
}

/** The time to which a room's timeline should scroll; null for none. */
export const jump = signal<{ roomId: string; at: string } | null>(null);
