/** What a text area does beyond typing. It is loaded once there is one, with its own code. */
export { Completion } from "./completion.tsx";
export { breakLine, formatArea } from "./format-area.ts";
export { pasteText } from "./paste.ts";
