import type { Database } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Poster } from "../messages/post.ts";
import type { Hub } from "./hub.ts";

/** What the sockets use of the rest of the service. */
export type SocketDeps = { database: Database; feed: Feed; hub: Hub; poster: Poster };
