import { common } from "./common.ts";

/** The words of the first load, in German. */
export const main = { ...common };
