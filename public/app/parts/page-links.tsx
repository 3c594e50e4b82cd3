import { ChevronRight, type IconNode } from "lucide";
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

type Page = {
  href: string;
  icon: IconNode;
  label: string;
  /** Above the first page of a group, where the links are a column. */
  heading?: string;
};

/** A list of pages, as the settings of a phone show them. */
export function PageLinks({ pages }: { pages: Page[] }) {
  return (
    <ul class="page-links">
      {pages.map(({ href, icon, label }) => (
        <li key={href}>
          <a class="room-link control gap-16 rounded" href={href}>
            <Icon of={icon} />
            <span class="grow">{label}</span>
            <Icon of={ChevronRight} />
          </a>
        </li>
      ))}
    </ul>
  );
}

type PageTabsProps = {
  label: string;
  pages: Page[];
  current: string;
  /** A link before the pages. */
  children?: ComponentChildren;
};

/** Links to the pages beside the open one; a row that is wider than the screen scrolls to it. */
export function PageTabs({ label, pages, current, children }: PageTabsProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current="page"]');
    link?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label}>
      {children}
      {pages.map(({ href, icon, label, heading }) => (
        <Fragment key={href}>
          {heading && <p class="muted tiny bold">{heading}</p>}
          <a
            class="room-link control muted rounded"
            href={href}
            aria-current={href === current ? "page" : undefined}
          >
            <Icon of={icon} />
            {label}
          </a>
        </Fragment>
      ))}
    </nav>
  );
}
