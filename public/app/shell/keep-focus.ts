import { focusOn } from "../parts/return-focus.ts";

const ROW = ".list > li, .virtual-list li";
const CONTROLS = "a[href], button, input, select";

/**
 * Keeps the focus in a list when its focused row is removed: the next row gets it, or the heading
 * if the list is empty.
 * @returns a function that stops this
 */
export function keepFocusInLists(): () => void {
  let watch: MutationObserver | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    watch?.disconnect();
    if (!(target instanceof Element)) return;
    const row = target.closest(ROW);
    const list = row?.parentElement;
    const frame = row?.closest("main, dialog");
    if (!row || !list || !frame) return;
    const place = [...list.children].indexOf(row);
    const control = [...row.querySelectorAll(CONTROLS)].indexOf(target);
    watch = new MutationObserver(() => {
      if (row.isConnected) return;
      watch?.disconnect();
      // The action may have moved the focus itself.
      if (document.activeElement !== document.body) return;
      const rows = list.isConnected ? [...list.children] : [];
      const next = rows[place] ?? rows.at(-1);
      const controls = [...(next?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
      focusOn(controls[control] ?? controls[0] ?? frame.querySelector<HTMLElement>("h1, h2"));
    });
    watch.observe(frame, { childList: true, subtree: true });
  };
  document.addEventListener("focusin", onFocus);
  return () => {
    watch?.disconnect();
    document.removeEventListener("focusin", onFocus);
  };
}
