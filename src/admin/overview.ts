import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { messageFiles, messageImages, rooms } from "../database/schema.ts";
import { route } from "../routing/route.ts";
import { Overview } from "../wire/admin.ts";

/** What administrators see of the whole site at a glance. */
export const overviewRoutes = (db: Drizzle) => [
  route("GET /api/admin/overview", {
    access: "administrator",
    summary: "Count what the site holds",
    description: "Of direct conversations administrators see their number and size, nothing else.",
    answers: { 200: Overview },
    run: () => readOverview(db),
  }),
];

async function readOverview(db: Drizzle): Promise<Overview> {
  const ofDirects = eq(rooms.kind, "direct");
  const sizeOf = (table: typeof messageImages | typeof messageFiles) =>
    db
      .select({ bytes: sql<number>`coalesce(sum(${table.sizeBytes}), 0)`.mapWith(Number) })
      .from(table)
      .innerJoin(rooms, eq(rooms.id, table.roomId))
      .where(ofDirects);
  const [count, [images], [files]] = await Promise.all([
    db.$count(rooms, ofDirects),
    sizeOf(messageImages),
    sizeOf(messageFiles),
  ]);
  return { directs: { count, bytes: (images?.bytes ?? 0) + (files?.bytes ?? 0) } };
}
