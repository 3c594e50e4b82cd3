import { ChevronDown, ChevronRight, Plus } from "lucide";
import { overlay } from "../session/overlay.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { getRest, quietRest, requestRest } from "../parts/load-rest.tsx";
import type { Section } from "../state/sidebar/sidebar-sections.ts";
import { ViewMenu } from "./view-menu.tsx";
import { t } from "../words/translate.ts";

const SectionMenu = quietRest("SectionMenu");

/** The name of a section, which opens and closes it, and what can be done with it. */
export function SectionHead({ section }: { section: Section }) {
  const { own, all, isCollapsed } = section;
  const toggle = async () => {
    await requestRest();
    getRest()?.toggleSection(section);
  };
  return (
    <div class="section-head">
      <h2>
        <button type="button" aria-expanded={!isCollapsed} onClick={() => void toggle()}>
          <Icon of={isCollapsed ? ChevronRight : ChevronDown} />
          <span class="truncate" dir="auto" title={own?.name}>
            {section.own ? section.own.name : t(`sidebar.${section.name}`)}
          </span>
          <span class={isCollapsed ? "count" : "visually-hidden"}>{all.length}</span>
        </button>
      </h2>
      {own && <SectionMenu section={own} />}
      {section.name === "rooms" && (
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
