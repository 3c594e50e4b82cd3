import { Confirm } from "../parts/form.tsx";
import { markAllRead, markThreadsRead } from "../session/mark-read.ts";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

/** Asks before everything is marked as read, because that cannot be undone. */
export function ReadAll({ onClose }: DialogProps<"read-all">) {
  return (
    <Confirm
      title={t("read-all.title")}
      text={t("read-all.text")}
      action={t("read-all.action")}
      onConfirm={async () => {
        await Promise.all([markAllRead(), markThreadsRead()]);
      }}
      onClose={onClose}
    />
  );
}
