/** Selects the rooms and conversations of the sidebar, without the rows that lead elsewhere. */
const ROOMS = ".sidebar nav section > ul > [data-id] > .sidebar-row > a";

/** Opens the room above or below in the sidebar, in the displayed order; it wraps around. */
export function openRoomBeside(step: 1 | -1, isUnread: boolean): void {
  const all = [...document.querySelectorAll<HTMLAnchorElement>(ROOMS)];
  const at = all.findIndex((link) => link.getAttribute("aria-current") === "page");
  // If no room is open, start with the first or the last one.
  const start = at === -1 && step === -1 ? 0 : at;
  for (let i = 1; i <= all.length; i++) {
    const link = all[(start + step * i + all.length * 2) % all.length];
    if (link === all[at]) return;
    if (!link || (isUnread && !link.classList.contains("unread"))) continue;
    link.scrollIntoView({ block: "nearest" });
    link.click();
    return;
  }
}
