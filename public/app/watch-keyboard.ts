/**
 * Says in `--keyboard` how much of the page a phone's keyboard covers, where the browser does not
 * make the page smaller for it (Safari); elsewhere that is nothing.
 */
export function watchKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const follow = () => {
    // Two fingers make the view smaller too; that is no keyboard.
    const isEnlarged = view.scale > 1.01;
    const covered = isEnlarged ? 0 : Math.max(0, Math.round(innerHeight - view.height));
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
    // The page has been pushed up to show what is written in, which is in view by itself.
    if (covered > 0) scrollTo(0, 0);
  };
  view.addEventListener("resize", follow);
  view.addEventListener("scroll", follow);
}
