/** What a text area does beyond typing. It is loaded once there is one, with its own code. */
export { breakLine, formatByKey } from "./format-keys.ts";
export { pasteText } from "./paste.ts";
