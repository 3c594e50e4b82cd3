import type { Database } from "../database/connect.ts";
import { parseTime } from "../platform/input/time.ts";
import { route } from "../routing/route.ts";
import { Activity, ActivityQuery, MarkActivityRead, UnreadActivity } from "../wire/activity.ts";
import { Page } from "../wire/models.ts";
import { countUnreadActivity, listActivity, moveActivityMark } from "./activity.ts";

/** The caller's activity in all rooms. Bots use the feed instead. */
export const activityRoutes = (database: Database) => {
  const { sql } = database;
  return [
    route("GET /api/activity", {
      access: "person",
      summary:
        "List what mentions the caller and who reacted or replied to their messages, newest first",
      query: ActivityQuery,
      responses: { 200: Page(Activity) },
      handler: ({ actor, query }) => listActivity(database, actor.id, query),
    }),
    route("GET /api/activity/unread", {
      access: "person",
      summary: "Count the new entries of the caller's activity",
      responses: { 200: UnreadActivity },
      handler: ({ actor }) => countUnreadActivity(sql, actor.id),
    }),
    route("POST /api/activity/read", {
      access: "person",
      summary: "Mark the list as seen up to a time; the mark only moves forward",
      body: MarkActivityRead,
      responses: { 200: UnreadActivity },
      async handler({ actor, body }) {
        await moveActivityMark(sql, actor.id, parseTime(body.at, "/at"));
        return countUnreadActivity(sql, actor.id);
      },
    }),
  ];
};
