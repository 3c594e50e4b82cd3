/**
 * Sets `--keyboard` to the height of the page that a phone's keyboard covers, in browsers that do
 * not resize the page for it (Safari); elsewhere it is 0.
 */
export function watchKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const setHeight = () => {
    // Pinch zoom makes the viewport smaller too.
    const isZoomed = view.scale > 1.01;
    const covered = isZoomed ? 0 : Math.max(0, Math.round(innerHeight - view.height));
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
    // Safari scrolls the page up to show the focused field, which is visible without that.
    if (covered > 0) scrollTo(0, 0);
  };
  view.addEventListener("resize", setHeight);
  view.addEventListener("scroll", setHeight);
}
