import { MAX_WIDTH, MIN_WIDTH, resizeSidebar, sidebarWidth } from "../parts/sidebar-width.ts";
import { t } from "../words/translate.ts";

const STEP_PX = 16;

/** Resizes the sidebar by dragging or with the arrow keys. A double click resets its width. */
export function SidebarEdge() {
  const width = sidebarWidth.value;
  const keys: Record<string, number> = {
    ArrowLeft: width - STEP_PX,
    ArrowRight: width + STEP_PX,
    Home: MIN_WIDTH,
    End: MAX_WIDTH,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> handles neither focus nor keys
    <div
      class="sidebar-edge absolute"
      role="separator"
      tabIndex={0}
      aria-label={t("shell.width")}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onKeyDown={(event) => {
        const next = keys[event.key];
        if (next === undefined) return;
        event.preventDefault();
        resizeSidebar(next);
      }}
      onDblClick={() => resizeSidebar(null)}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const left = currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
        resizeSidebar(clientX - left);
      }}
    />
  );
}
