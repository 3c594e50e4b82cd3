import { account } from "./account.ts";
import { themes } from "./themes.ts";

/** The profile. */
export const profile = { ...account, ...themes };
