import { ChevronDown, ChevronRight, Plus } from "lucide";
import { overlay } from "../session/overlay.ts";
import { toggleSection } from "../session/arrange.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Section } from "../state/sidebar/sidebar-sections.ts";
import { ViewMenu } from "./view-menu.tsx";
import { t } from "../words/translate.ts";

/** The name of a section, which opens and closes it; the section of the rooms has their menu, too. */
export function SectionHead({ section: { name, all, isCollapsed } }: { section: Section }) {
  return (
    <div class="section-head">
      <h2>
        <button type="button" aria-expanded={!isCollapsed} onClick={() => toggleSection(name)}>
          <Icon of={isCollapsed ? ChevronRight : ChevronDown} />
          {t(`sidebar.${name}`)}
          <span class={isCollapsed ? "count" : "visually-hidden"}>{all.length}</span>
        </button>
      </h2>
      {name === "rooms" && (
        <>
          <ViewMenu />
          <IconButton
            icon={Plus}
            label={t("create.title")}
            onClick={() => {
              overlay.value = { name: "create-room" };
            }}
          />
        </>
      )}
    </div>
  );
}
