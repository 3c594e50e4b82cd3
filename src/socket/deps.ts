import type { Keywords } from "../activity/keywords.ts";
import type { Database } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Poster } from "../messages/post.ts";
import type { Broadcaster } from "./broadcaster.ts";
import type { ConnectionRegistry } from "./connection-registry.ts";
import type { Conversations } from "./conversations.ts";

export type SocketDeps = {
  database: Database;
  feed: Feed;
  connections: ConnectionRegistry;
  broadcaster: Broadcaster;
  conversations: Conversations;
  poster: Poster;
  keywords: Pick<Keywords, "forget">;
};
