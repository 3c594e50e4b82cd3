/** Parts of the sidebar that appear after the first paint, in one chunk. */
export { Bar } from "./bar.tsx";
export { RoomFilter } from "./room-filter.tsx";
export { RoomMenu } from "./room-menu.tsx";
export { RowMoves } from "./row-moves.tsx";
export { ViewMenu } from "./view-menu.tsx";
export { SidebarEdge } from "./sidebar-edge.tsx";
export { toggleSection } from "../session/arrange.ts";
export { DirectSection } from "../direct/direct-section.tsx";
