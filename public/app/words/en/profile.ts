import { account } from "./account.ts";
import { themes } from "./themes.ts";

/** What stands in the dialog of one's own profile. */
export const profile = { ...account, ...themes };
