import type { Page } from "playwright-core";

/**
 * What on the page as it is cannot be used: wider than the page, cut off, out of reach, under
 * something else, or too small to hit (WCAG 2.2: 1.4.10, 1.4.12, 2.5.8). One line for each.
 */
export function survey(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}"`;
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest(".visually-hidden, [inert]");
    const scrolls = (element: Element) =>
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX);

    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const element of top.querySelectorAll("*")) {
      if (!isShown(element) || element.closest("svg")) continue;
      const style = getComputedStyle(element);
      const hasMore = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      if (hasMore && ["hidden", "clip"].includes(style.overflowX)) {
        if (style.textOverflow !== "ellipsis" && !element.matches("input"))
          found.push(`cut off: ${nameOf(element)}`);
      }
      // Code may scroll, and a strip of parts: each in one direction.
      if (hasMore && scrolls(element) && !element.matches("pre, nav, textarea, input")) {
        found.push(`scrolls sideways: ${nameOf(element)}`);
      }
    }
    const targets = "a[href], button, input, select, textarea, summary, [role=option]";
    for (const target of top.querySelectorAll<HTMLElement>(targets)) {
      if (!isShown(target) || getComputedStyle(target).pointerEvents === "none") continue;
      const owner = target.closest("label") ?? target;
      owner.scrollIntoView({ block: "nearest", inline: "nearest" });
      const box = owner.getBoundingClientRect();
      const inText = getComputedStyle(target).display === "inline";
      if (!inText && (box.width < 24 || box.height < 24)) {
        found.push(`${Math.round(box.width)} by ${Math.round(box.height)}: ${nameOf(target)}`);
      }
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
        found.push(`out of reach: ${nameOf(target)}`);
        continue;
      }
      const above = document.elementFromPoint(x, y);
      const isItself = above && (owner.contains(above) || above.contains(owner) || inText);
      if (!isItself) found.push(`under ${above ? nameOf(above) : "nothing"}: ${nameOf(target)}`);
    }
    return found;
  });
}
