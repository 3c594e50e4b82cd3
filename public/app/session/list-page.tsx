import type { ComponentChildren, RefObject } from "preact";
import { useRowKeys } from "../parts/list-row.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { PaneHead } from "./pane-head.tsx";

type ListPageProps = {
  title: string;
  /** Not shown on a phone. */
  text?: string;
  /** As in `PaneHead`. */
  back?: string | null;
  actions?: ComponentChildren;
  /** Shown below the header, where they stay while the list scrolls. */
  filters?: ComponentChildren;
  isBusy?: boolean;
  scroller?: RefObject<HTMLDivElement | null>;
  children: ComponentChildren;
};

/**
 * A screen with a list: a header, filters, and rows in one column with the keys of `useRowKeys`.
 */
export function ListPage(props: ListPageProps) {
  const { title, text, back, actions, filters, isBusy, scroller, children } = props;
  useRowKeys();
  const isPhone = useMedia(PHONE);
  return (
    <section class="pane">
      <PaneHead title={title} text={isPhone ? null : text} back={back}>
        {actions}
      </PaneHead>
      {filters}
      <div class="page grow scroll rows-page" ref={scroller} aria-busy={isBusy}>
        {children}
      </div>
    </section>
  );
}
