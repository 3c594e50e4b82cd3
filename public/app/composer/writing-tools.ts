/** The tools of the text area, in a chunk that is loaded with the first text area. */
export { Completion } from "./completion.tsx";
export { breakLine, formatArea } from "./format-area.ts";
export { pasteText } from "./paste.ts";
