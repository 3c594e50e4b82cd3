import { Empty } from "../parts/empty.tsx";
import { PaneHead } from "../session/pane-head.tsx";
import { t } from "../words/translate.ts";

type EmptyScreenProps = { reason: "not-found" | "no-rooms" };

/** Shown where there is no room or page to show. */
export function EmptyScreen({ reason }: EmptyScreenProps) {
  const isUnknownPage = reason === "not-found";
  return (
    <section class="pane">
      <PaneHead />
      <Empty
        main
        title={isUnknownPage ? t("shell.not-found") : t("shell.no-rooms")}
        text={isUnknownPage ? t("shell.not-found-text") : t("shell.no-rooms-text")}
      >
        <a class="button primary" href={isUnknownPage ? "/" : "/browse"}>
          {isUnknownPage ? t("shell.to-rooms") : t("shell.browse")}
        </a>
      </Empty>
    </section>
  );
}
