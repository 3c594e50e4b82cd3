/** How many entries of the browser history, up to the current one, belong to sheets. */
export const sheetEntries = { count: 0 };
