import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Safari supports `field-sizing` since 26.2, Firefox since 152. */
const GROWS_BY_STYLE = CSS.supports("field-sizing", "content");

/**
 * Makes a text area as high as its text, within the `min-height` and `max-height` of its style, in
 * browsers without `field-sizing: content`.
 */
export function useGrowth(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (!GROWS_BY_STYLE && area.current) fitHeight(area.current);
  }, [text]);
  useLayoutEffect(() => {
    const element = area.current;
    if (GROWS_BY_STYLE || !element) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fitHeight(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

function fitHeight(element: HTMLTextAreaElement): void {
  const { style, offsetHeight } = element;
  const border = offsetHeight - element.clientHeight;
  style.height = "0";
  // Otherwise the scroll container would shrink for a moment, and lose its scroll position.
  style.marginBlockEnd = `${offsetHeight}px`;
  const height = element.scrollHeight + border;
  style.height = `${height}px`;
  style.marginBlockEnd = "";
}
