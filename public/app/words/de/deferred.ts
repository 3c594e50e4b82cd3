import { activity } from "./activity.ts";
import { browse } from "./browse.ts";
import { direct } from "./direct.ts";
import { emoji } from "./emoji.ts";
import { signIn } from "./sign-in.ts";
import { keeping } from "./keeping.ts";
import { overlays } from "./overlays.ts";
import { parts } from "./parts.ts";
import { room } from "./room.ts";
import { search } from "./search.ts";
import { threads } from "./threads.ts";

/** Dialogs and small pages, whose code is loaded after the first screen. */
export const deferred = {
  ...activity,
  ...browse,
  ...direct,
  ...emoji,
  ...signIn,
  ...keeping,
  ...overlays,
  ...parts,
  ...room,
  ...search,
  ...threads,
};
