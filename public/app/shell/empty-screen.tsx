import { Empty } from "../parts/empty.tsx";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

type EmptyScreenProps = { reason: "not-found" | "no-rooms" | "not-in-room"; room?: string };

/** Shown where there is no room or page to show. */
export function EmptyScreen({ reason, room = "" }: EmptyScreenProps) {
  const { title, text } = describe(reason, room);
  const isUnknownPage = reason === "not-found";
  return (
    <section class="pane">
      <PaneHead />
      <Empty main title={title} text={text}>
        <a class="button primary" href={isUnknownPage ? "/" : "/browse"}>
          {isUnknownPage ? t("shell.to-rooms") : t("shell.browse")}
        </a>
      </Empty>
    </section>
  );
}

function describe(reason: EmptyScreenProps["reason"], room: string) {
  if (reason === "not-found")
    return { title: t("shell.not-found"), text: t("shell.not-found-text") };
  if (reason === "no-rooms") return { title: t("shell.no-rooms"), text: t("shell.no-rooms-text") };
  const wasRemoved = store.lost.value?.name === room;
  return {
    title: t("shell.not-in", { room }),
    text: wasRemoved ? t("shell.removed") : t("shell.unknown"),
  };
}
