import { common } from "./common.ts";
import { problems } from "./problems.ts";
import { rooms } from "./rooms.ts";
import { talk } from "./talk.ts";

/** The words of the first load. */
export const main = { ...common, ...problems, ...rooms, ...talk };
