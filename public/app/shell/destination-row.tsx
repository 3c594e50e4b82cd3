import { Icon } from "../parts/icon.tsx";
import { background } from "../session/navigation.ts";
import { type Destination, listDestinations } from "./destinations.ts";
import { SidebarRow } from "./sidebar-row.tsx";

/** The links above the rooms: activity, threads, saved messages and drafts. */
export function Destinations() {
  return (
    <ul class="destinations">
      {listDestinations().map((destination) => (
        <DestinationRow key={destination.href} of={destination} />
      ))}
    </ul>
  );
}

export function DestinationRow({ of: { href, icon, words, isOpen, count, news } }: RowProps) {
  return (
    <SidebarRow
      href={href}
      icon={<Icon of={icon} />}
      name={words()}
      isOpen={isOpen(background.value.route)}
      news={news?.()}
      count={count?.()}
    />
  );
}
type RowProps = { of: Destination };
