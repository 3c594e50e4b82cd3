/** The pins of a room, in one chunk. */
export { PinLine } from "./pin-line.tsx";
export { PinsPanel } from "./pins-panel.tsx";
