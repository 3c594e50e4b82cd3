import { common } from "./common.ts";
import { problems } from "./problems.ts";
import { rooms } from "./rooms.ts";
import { timeline } from "./timeline.ts";

/** The first load. */
export const main = { ...common, ...problems, ...rooms, ...timeline };
