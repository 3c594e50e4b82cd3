import { ChevronDown, ChevronRight, Plus } from "lucide";
import { overlay } from "../session/overlay.ts";
import { showError } from "../session/toasts.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazy, loadPart } from "../parts/lazy.tsx";
import type { Section, SectionName } from "../state/sidebar.ts";
import { t } from "../words/translate.ts";

const ViewMenu = lazy("deferred", () => import("./sidebar-extras.ts").then((m) => m.ViewMenu), {
  quiet: true,
});

/** The name of a section, which opens and closes it; the section of the rooms has their menu, too. */
export function SectionHead({ section: { name, all, isCollapsed } }: { section: Section }) {
  return (
    <div class="section-head">
      <h2>
        <button type="button" aria-expanded={!isCollapsed} onClick={() => toggle(name)}>
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

function toggle(name: SectionName): void {
  loadPart("deferred", import("./sidebar-extras.ts")).then((m) => m.toggleSection(name), showError);
}
