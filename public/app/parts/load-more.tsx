import { useEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { t } from "../words/translate.ts";

type LoadMoreProps = {
  busy: boolean;
  /** Changes with what is loaded: the end may be in view still. */
  count: number;
  /** Whether the last attempt failed: seeing the end would repeat it without a pause. */
  hasFailed: boolean;
  onMore(): void;
};

/** The end of a list that has more: loads it when it is scrolled into view, and by the button. */
export function LoadMore({ busy, count, hasFailed, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const onVisible = useRef(onMore);
  onVisible.current = onMore;
  useEffect(() => {
    if (!end.current || busy || hasFailed) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && onVisible.current(),
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [busy, hasFailed, count]);
  return (
    <div ref={end}>
      <Button wide busy={busy} onClick={onMore}>
        {t("show-more")}
      </Button>
    </div>
  );
}
