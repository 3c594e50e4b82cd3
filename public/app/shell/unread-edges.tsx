import { ArrowDown, ArrowUp } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

/** Unread rows beyond an edge of the list. */
type Hidden = { rows: number; mentions: number };
const NOTHING: Hidden = { rows: 0, mentions: 0 };
type Edges = { above: Hidden; below: Hidden; isScrolled: boolean };

/** The height of the strip behind a button, and how far rows fade out beside it, in pixels. */
const STRIP = 32;
const FADE = 10;
/** A row counts as visible if at most this many pixels of it, its padding, are covered. */
const MAX_COVERED = 4;

/**
 * At the edges of the sidebar's list: how many unread rows are out of view. A click scrolls to the
 * next one. Rows fade out at the edges.
 */
export function UnreadEdges({ list }: { list: { current: HTMLElement | null } }) {
  const [edges, setEdges] = useState<Edges>({ above: NOTHING, below: NOTHING, isScrolled: false });
  const { conversations } = store.state.value;
  useEffect(() => {
    const nav = list.current;
    if (!nav) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setEdges((now) => keepSame(now, measure(nav))));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(nav);
    for (const part of nav.children) resized.observe(part);
    nav.addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      nav.removeEventListener("scroll", look);
    };
  }, [conversations]);
  return (
    <>
      {edges.isScrolled && <Strip edge="above" hidden={edges.above} list={list} />}
      <Strip edge="below" hidden={edges.below} list={list} />
    </>
  );
}

const AT = {
  above: {
    top: "0",
    paddingBottom: `${FADE}px`,
    background: `linear-gradient(var(--sidebar) calc(100% - ${FADE}px), transparent)`,
  },
  below: {
    bottom: "0",
    paddingTop: `${FADE}px`,
    background: `linear-gradient(transparent, var(--sidebar) ${FADE}px)`,
  },
};

type StripProps = {
  edge: keyof typeof AT;
  hidden: Hidden;
  list: { current: HTMLElement | null };
};

function Strip({ edge, hidden: { rows, mentions }, list }: StripProps) {
  const show = () => {
    if (!list.current) return;
    const { above, below } = unreadRows(list.current);
    const next = edge === "above" ? above.at(-1) : below[0];
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    next?.scrollIntoView({ block: "center", behavior: isCalm ? "instant" : "smooth" });
  };
  return (
    // Without a button it is only a gradient, which takes no clicks.
    <div class={`edge-strip full absolute row ${edge}`} style={AT[edge]} inert={rows === 0}>
      {rows > 0 && (
        <button
          type="button"
          class={`edge-pill reach surface row gap-4 small strong ${mentions > 0 ? "important" : ""}`}
          // The rows themselves are keyboard-accessible.
          tabIndex={-1}
          onClick={show}
        >
          <Icon of={edge === "above" ? ArrowUp : ArrowDown} />
          {mentions > 0
            ? t("shell.mentions", { count: mentions })
            : t("unread.more", { count: rows })}
        </button>
      )}
    </div>
  );
}

/**
 * The unread rows above and below the visible part, in order. If there is one, the strip of its edge
 * covers others, which count, too.
 */
function unreadRows(nav: HTMLElement) {
  const { top, bottom } = nav.getBoundingClientRect();
  const links = [...nav.querySelectorAll<HTMLElement>(".room-link.unread")];
  const beyond = (isBeyond: (at: DOMRect, strip: number) => boolean) => {
    const find = (strip: number) =>
      links.filter((link) => isBeyond(link.getBoundingClientRect(), strip - MAX_COVERED));
    return find(0).length > 0 ? find(STRIP) : [];
  };
  const heading = nav.querySelector<HTMLElement>(".section-head")?.offsetHeight ?? 0;
  return {
    // At the start of the list nothing is above it.
    above: beyond((at, strip) => at.top < top + Math.min(nav.scrollTop, heading + strip)),
    below: beyond((at, strip) => at.bottom > bottom - strip),
  };
}

function measure(nav: HTMLElement): Edges {
  const { above, below } = unreadRows(nav);
  return { above: sum(above), below: sum(below), isScrolled: nav.scrollTop > 0 };
}

function sum(links: HTMLElement[]): Hidden {
  const state = store.state.peek();
  const mentions = links.map((link) => {
    const id = link.closest<HTMLElement>("[data-id]")?.dataset.id ?? "";
    return readNews(conversationById(state, id)?.membership ?? null).mentions;
  });
  return { rows: links.length, mentions: mentions.reduce((total, count) => total + count, 0) };
}

/** Returns the same object if nothing changed, so that nothing rerenders. */
function keepSame(now: Edges, next: Edges): Edges {
  return JSON.stringify(now) === JSON.stringify(next) ? now : next;
}
