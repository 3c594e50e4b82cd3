import { browse } from "./browse.ts";
import { emoji } from "./emoji.ts";
import { signIn } from "./sign-in.ts";
import { overlays } from "./overlays.ts";
import { parts } from "./parts.ts";
import { room } from "./room.ts";

/** The words of dialogs and small pages, whose code is loaded when they are first shown. */
export const deferred = { ...browse, ...emoji, ...signIn, ...overlays, ...parts, ...room };
