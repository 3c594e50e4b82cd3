import { common } from "./common.ts";
import { direct } from "./direct.ts";
import { keeping } from "./keeping.ts";
import { parts } from "./parts.ts";
import { room } from "./room.ts";
import { rooms } from "./rooms.ts";
import { threads } from "./threads.ts";
import { timeline } from "./timeline.ts";

/** The first load. */
export const main = {
  ...common,
  ...direct,
  ...keeping,
  ...parts,
  ...room,
  ...rooms,
  ...threads,
  ...timeline,
};
