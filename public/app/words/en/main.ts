import { common } from "./common.ts";

/** The words of the first load. */
export const main = { ...common };
