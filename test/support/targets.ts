import type { Page } from "playwright-core";

/** The least that a finger needs, in px. */
const TARGET_PX = 44;
/** An author's name, which does what the picture beside it does. */
const AUTHOR = "p:has(time) > button";

/**
 * The controls of a page, as far as it is on the screen, that a finger misses: those that answer it in less than 44 px
 * in a direction. What is around a control may belong to it. Links inside a sentence are as high as its lines.
 */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    ([least, equivalent]) => {
      const controls = document.querySelectorAll<HTMLElement>(
        "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option]",
      );
      const isInSentence = (control: HTMLElement) =>
        getComputedStyle(control).display === "inline" &&
        control.parentElement?.textContent !== control.textContent;
      /** Whether all of it is in view: not cut off by the window, or by a list that scrolls. */
      const isWhole = (control: HTMLElement) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        for (let at = control.parentElement; at; at = at.parentElement) {
          if (at !== document.body && getComputedStyle(at).overflow === "visible") continue;
          const around = at.getBoundingClientRect();
          if (left < around.left || top < around.top) return false;
          if (right > around.right || bottom > around.bottom) return false;
        }
        return true;
      };
      const small: string[] = [];
      for (const control of controls) {
        const { left, top, width, height } = control.getBoundingClientRect();
        const answers = (x: number, y: number) => {
          const at = document.elementFromPoint(x, y);
          const label = at?.closest("label")?.htmlFor;
          return control.contains(at) || (label !== undefined && label === control.id);
        };
        const [x, y] = [left + width / 2, top + height / 2];
        if (!answers(x, y) || !isWhole(control) || isInSentence(control)) continue;
        if (control.matches(equivalent)) continue;
        const reach = (dx: number, dy: number) => {
          let px = 0;
          while (px < least && answers(x + dx * (px + 1), y + dy * (px + 1))) px += 1;
          return px;
        };
        const [across, down] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1];
        if (across >= least && down >= least) continue;
        const name = control.getAttribute("aria-label") ?? control.textContent;
        small.push(`${control.localName}.${control.className} "${name}": ${across} × ${down}`);
      }
      return small;
    },
    [TARGET_PX, AUTHOR] as const,
  );
}
