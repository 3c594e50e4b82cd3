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
type Edges = { above: Hidden; below: Hidden };

/** A row counts as visible if at least this many pixels of it are. */
const MIN_VISIBLE = 12;

/**
 * At the edges of the sidebar's list: how many unread rows are out of view. A click scrolls to the
 * next one.
 */
export function UnreadEdges({ list }: { list: { current: HTMLElement | null } }) {
  const [edges, setEdges] = useState<Edges>({ above: NOTHING, below: NOTHING });
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
      <Pill edge="above" hidden={edges.above} list={list} />
      <Pill edge="below" hidden={edges.below} list={list} />
    </>
  );
}

/** The upper button is below the heading of the section. Rows fade out behind both. */
const AT = {
  above: { top: "var(--control)", background: "linear-gradient(var(--sidebar) 50%, transparent)" },
  below: { bottom: "0", background: "linear-gradient(transparent, var(--sidebar) 50%)" },
};

type PillProps = {
  edge: keyof Edges;
  hidden: Hidden;
  list: { current: HTMLElement | null };
};

function Pill({ edge, hidden: { rows, mentions }, list }: PillProps) {
  if (rows === 0) return null;
  const show = () => {
    if (!list.current) return;
    const { above, below } = unreadRows(list.current);
    const next = edge === "above" ? above.at(-1) : below[0];
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    next?.scrollIntoView({ block: "center", behavior: isCalm ? "instant" : "smooth" });
  };
  return (
    <div class={`edge-strip full absolute row ${edge}`} style={AT[edge]}>
      <button
        type="button"
        class={`edge-pill surface row gap-4 small strong ${mentions > 0 ? "important" : ""}`}
        // The rows themselves are keyboard-accessible.
        tabIndex={-1}
        onClick={show}
      >
        <Icon of={edge === "above" ? ArrowUp : ArrowDown} />
        {mentions > 0
          ? t("shell.mentions", { count: mentions })
          : t("sidebar.more-unread", { count: rows })}
      </button>
    </div>
  );
}

/** The unread rows above and below the visible part, in order. */
function unreadRows(nav: HTMLElement) {
  const { top, bottom } = nav.getBoundingClientRect();
  const strip = nav.parentElement?.querySelector<HTMLElement>(".edge-strip.below");
  const end = bottom - (strip?.offsetHeight ?? 0);
  const above: HTMLElement[] = [];
  const below: HTMLElement[] = [];
  for (const link of nav.querySelectorAll<HTMLElement>(".room-link.unread")) {
    const at = link.getBoundingClientRect();
    if (at.bottom < top + MIN_VISIBLE) above.push(link);
    else if (at.top > end - MIN_VISIBLE) below.push(link);
  }
  return { above, below };
}

function measure(nav: HTMLElement): Edges {
  const { above, below } = unreadRows(nav);
  return { above: sum(above), below: sum(below) };
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
