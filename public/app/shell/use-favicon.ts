import { useEffect, useRef } from "preact/hooks";
import { news } from "../session/sidebar-items.ts";

/** Dots at the lower right of the logo: filled for mentions, hollow for other unread messages. */
const DOTS = {
  mention: '<circle cx="24" cy="24" r="7" fill="#d3382c" stroke="#fff" stroke-width="2"/>',
  unread: '<circle cx="24" cy="24" r="6" fill="#fff" stroke="#d3382c" stroke-width="3"/>',
};

/** Shows unread messages on the tab's icon, as the icon of an installed app does. */
export function useFavicon(): void {
  const { mentions, isUnread } = news.value;
  const dot = mentions > 0 ? "mention" : isUnread ? "unread" : null;
  const plain = useRef<string | null>(null);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link) return;
    plain.current ??= link.href;
    if (!dot) {
      link.href = plain.current;
      return;
    }
    let isLatest = true;
    fetch(plain.current).then(
      async (answer) => {
        const svg = (await answer.text()).replace("</svg>", `${DOTS[dot]}</svg>`);
        if (isLatest) link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      },
      // The title shows what is unread as well.
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [dot]);
}
