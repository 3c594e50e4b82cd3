import { common } from "./common.ts";

/** The words of the first load, in Spanish. */
export const main = { ...common };
