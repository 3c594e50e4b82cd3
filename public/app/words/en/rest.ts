import { activity } from "./activity.ts";
import { browse } from "./browse.ts";
import { emoji } from "./emoji.ts";
import { lists } from "./lists.ts";
import { menus } from "./menus.ts";
import { overlays } from "./overlays.ts";
import { roomDialogs } from "./room-dialogs.ts";
import { search } from "./search.ts";

/** What is loaded with `rest.ts`. */
export const rest = {
  ...activity,
  ...browse,
  ...emoji,
  ...lists,
  ...menus,
  ...overlays,
  ...roomDialogs,
  ...search,
};
