/** What a room shows of its pins, in one chunk. */
export { PinLine } from "./pin-line.tsx";
export { PinsPanel } from "./pins-panel.tsx";
