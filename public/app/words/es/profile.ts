import { account } from "./account.ts";
import { themes } from "./themes.ts";

export const profile = { ...account, ...themes };
