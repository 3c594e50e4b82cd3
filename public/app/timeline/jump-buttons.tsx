import { ArrowDown, ArrowUp, X } from "lucide";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { atTime } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { signal } from "@preact/signals";

type UnreadPillProps = { since: string; onGo(): void; onDismiss(): void };

/** Shown while the first unread message is above the visible part. */
export function UnreadButton({ since, onGo, onDismiss }: UnreadPillProps) {
  return (
    <div class="pill top">
      <Button onClick={onGo}>
        <Icon of={ArrowUp} />
        <span class="truncate">{t("timeline.new-since", { when: atTime(since) })}</span>
      </Button>
      <IconButton icon={X} label={t("timeline.dismiss-new")} onClick={onDismiss} />
    </div>
  );
}

/** Shown while the newest message is below the visible part. */
export function LatestButton({ missed, onGo }: { missed: number; onGo(): void }) {
  return (
    <div class="pill bottom">
      <Button kind="primary" onClick={onGo}>
        <Icon of={ArrowDown} />
        {missed > 0 ? t("timeline.count-new", { count: missed }) : t("timeline.to-latest")}
      </Button>
    </div>
  );
}

/** The time that a room's timeline should scroll to; null for none. */
export const jump = signal<{ roomId: string; at: string } | null>(null);
