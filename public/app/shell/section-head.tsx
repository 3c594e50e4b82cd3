import { ChevronDown, ChevronRight, ListFilter, Plus } from "lucide";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { background } from "../session/navigation.ts";
import { openDialog } from "../session/overlay.ts";
import { toggleSection } from "../session/sidebar-items.ts";
import type { Section } from "../state/sidebar/sidebar-sections.ts";
import { t } from "../words/translate.ts";

const SectionMenu = quietRest("SectionMenu");

/** The heading of a section: its name, which expands or collapses it, and its actions. */
export function SectionHead({ section }: { section: Section }) {
  if (section.name === "direct") return <DirectHead section={section} />;
  const { own, all, isCollapsed } = section;
  return (
    <div class="section-head flex sticky" draggable={own !== null}>
      <h2 class="grow small">
        <button
          type="button"
          class="section-name control row muted strong rounded full"
          aria-expanded={!isCollapsed}
          onClick={() => void toggleSection(section)}
        >
          <Icon of={isCollapsed ? ChevronRight : ChevronDown} />
          <span class="truncate" dir="auto" title={own?.name}>
            {section.own ? section.own.name : t(`sidebar.${section.name}`)}
          </span>
          <span class={isCollapsed ? "count digits" : "visually-hidden"}>{all.length}</span>
        </button>
      </h2>
      {own && <SectionMenu section={own} />}
      {section.name === "rooms" && (
        <>
          <ViewMenu />
          <IconButton
            icon={Plus}
            label={t("create.title")}
            onClick={() => openDialog({ name: "create-room" })}
          />
        </>
      )}
    </div>
  );
}

/** The heading of the direct conversations, which leads to all of them. */
function DirectHead({ section }: { section: Section }) {
  const { isCollapsed } = section;
  const here = background.value.route;
  return (
    <div class="section-head flex sticky rounded">
      <IconButton
        icon={isCollapsed ? ChevronRight : ChevronDown}
        label={t("direct.title")}
        class="section-toggle reach"
        expanded={!isCollapsed}
        onClick={() => void toggleSection(section)}
      />
      <h2 class="grow small">
        <a
          class="section-name control row muted strong rounded full"
          href="/direct"
          aria-current={here.name === "direct" && here.id === "" ? "page" : undefined}
        >
          {t("direct.title")}
        </a>
      </h2>
    </div>
  );
}

const ViewMenuList = quietRest("ViewMenuList");

/** The order of the rooms, and actions on all of them. */
function ViewMenu() {
  return (
    <MenuButton
      icon={ListFilter}
      label={t("room-list.view")}
      list={(anchor, onClose) => <ViewMenuList anchor={anchor} onClose={onClose} />}
    />
  );
}
