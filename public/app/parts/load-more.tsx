import { useEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { t } from "../words/translate.ts";

type LoadMoreProps = {
  busy: boolean;
  /** Changes when items are loaded: the end may still be in view. */
  count: number;
  onMore(): void;
};

/**
 * The end of a list that has more pages. It loads the next page when scrolled into view, or by its
 * button.
 */
export function LoadMore({ busy, count, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const onVisible = useRef(onMore);
  onVisible.current = onMore;
  useEffect(() => {
    if (!end.current || busy) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && onVisible.current(),
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [busy, count]);
  return (
    <div ref={end}>
      <Button wide busy={busy} onClick={onMore}>
        {t("show-more")}
      </Button>
    </div>
  );
}
