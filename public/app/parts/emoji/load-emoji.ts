import { codeOf, loadChunk } from "../load-chunk.tsx";

/** The table of emoji; null until it is loaded. */
export const emojiData = codeOf("parts/emoji/data.ts");

/** Without the table, names stay as they are written. */
export const loadEmoji = () => loadChunk("parts/emoji/data.ts").catch(() => null);
