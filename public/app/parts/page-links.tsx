import { ChevronRight, type IconNode } from "lucide";
import { Icon } from "./icon.tsx";

type PageLinksProps = { pages: { href: string; icon: IconNode; label: string }[] };

/** A list of pages, as the settings of a phone show them. */
export function PageLinks({ pages }: PageLinksProps) {
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
