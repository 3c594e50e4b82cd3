import { BellOff, type IconNode, Pencil } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icon.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import type { News } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";
import { draftRooms } from "./sidebar-items.ts";

type LinkProps = {
  id: string;
  href: string;
  title: string;
  isOpen: boolean;
  /** Whether Tab goes to it; arrows go from row to row. */
  isTabStop: boolean;
  news: News;
  /** What the sign of a muted one says. */
  muted: string;
  /** The accessible name of its badge. */
  badge?: string;
  class?: string;
  draggable?: false;
  /** Its icon or faces, and its name. */
  children: ComponentChildren;
};

/** The link of a room or conversation in a list, with what is to be known about it. */
export function PlaceLink(props: LinkProps) {
  const { id, href, title, isOpen, isTabStop, news, muted, badge, draggable, children } = props;
  return (
    <a
      class={`room-link ${news.isUnread ? "unread" : ""} ${props.class ?? ""}`}
      href={href}
      title={title}
      tabIndex={isTabStop ? 0 : -1}
      draggable={draggable}
      aria-current={isOpen ? "page" : undefined}
    >
      {children}
      {!isOpen && draftRooms.value.has(id) && <Sign icon={Pencil} text={t("sidebar.draft")} />}
      {news.isMuted && <Sign icon={BellOff} text={muted} />}
      <UnreadBadge mentions={news.mentions} isUnread={news.isUnread} label={badge} />
    </a>
  );
}

function Sign({ icon, text }: { icon: IconNode; text: string }) {
  return (
    <span class="sign" role="img" aria-label={text} data-tooltip={text}>
      <Icon of={icon} />
    </span>
  );
}
