/** Selects the links of the rooms in the sidebar. */
export const ROW = ".room-row > a";
