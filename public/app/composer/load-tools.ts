import { loadPart } from "../parts/lazy.tsx";
import { formatOf } from "./format-of.ts";
import type * as Tools from "./writing-tools.ts";

/** Null until they are loaded: line breaks and what is pasted are then left to the browser. */
let tools: typeof Tools | null = null;

/** The tools of the text area; null until they are loaded. */
export function getWritingTools(): typeof Tools | null {
  return tools;
}

/** Loads the code that completes, formats and converts. Without it people can still write. */
export async function loadWritingTools(): Promise<typeof Tools> {
  tools ??= await loadPart("deferred", import("./writing-tools.ts"));
  return tools;
}

/**
 * Formats by a shortcut: at once, or as soon as the code for it has loaded. Text that was written
 * since then is formatted with the selection.
 * @returns true if the key is a shortcut that formats
 */
export function formatByKey(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) {
  const what = formatOf(event);
  if (!what) return false;
  event.preventDefault();
  const area = event.currentTarget;
  if (tools) tools.formatArea(area, what);
  else {
    const { selectionStart: start, value } = area;
    const before = value.slice(0, start);
    loadWritingTools().then(
      ({ formatArea }) => {
        if (!area.isConnected) return;
        if (area.value.startsWith(before))
          area.setSelectionRange(start, Math.max(start, area.selectionEnd));
        formatArea(area, what);
      },
      () => {},
    );
  }
  return true;
}
