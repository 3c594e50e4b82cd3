import type { Database } from "../database/connect.ts";
import { createAdminRoomTexts, listAdminRooms } from "../rooms/lists.ts";
import { jsonText, route } from "../routing/route.ts";
import { AdminWebhook, UpdateAdminRoom } from "../wire/admin.ts";
import { Page, Room } from "../wire/models.ts";
import { AdminRoomQuery, PageQuery } from "../wire/queries.ts";
import { TransferRoom } from "../wire/requests.ts";
import { changeAsAdministrator } from "./change.ts";
import { setRoomArchived, setDefaultRoom, transferRoom } from "./rooms.ts";
import { listWebhooks } from "./webhooks.ts";

/** All rooms, including private ones but not their messages, for site administrators. */
export const adminRoomRoutes = (database: Database) => {
  const { db, sql } = database;
  const texts = createAdminRoomTexts();
  return [
    route("GET /api/admin/rooms", {
      access: "administrator",
      summary: "List all rooms, private ones included",
      query: AdminRoomQuery,
      answers: { 200: Page(Room) },
      run: async ({ query }) => jsonText(await listAdminRooms(database, texts, query)),
    }),
    route("GET /api/admin/webhooks", {
      access: "administrator",
      summary: "List incoming and outgoing webhooks of all rooms",
      query: PageQuery,
      answers: { 200: Page(AdminWebhook) },
      run: ({ query }) => listWebhooks(sql, query),
    }),
    route("PATCH /api/admin/rooms/:id", {
      access: "administrator",
      proof: "none",
      summary: "Choose whether everyone who signs up joins a room",
      body: UpdateAdminRoom,
      answers: { 200: Room },
      errors: ["room_not_found"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) =>
          setDefaultRoom(tx, actor, call.params.id, call.body.is_default),
        ),
    }),
    route("POST /api/admin/rooms/:id/archive", {
      access: "administrator",
      proof: "none",
      summary: "Archive a room",
      answers: { 200: Room },
      errors: ["room_not_found"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) =>
          setRoomArchived(tx, actor, call.params.id, true),
        ),
    }),
    route("POST /api/admin/rooms/:id/unarchive", {
      access: "administrator",
      proof: "none",
      summary: "Unarchive a room",
      answers: { 200: Room },
      errors: ["room_not_found"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) =>
          setRoomArchived(tx, actor, call.params.id, false),
        ),
    }),
    route("POST /api/admin/rooms/:id/transfer", {
      access: "administrator",
      proof: "needed",
      summary: "Make someone a room's owner",
      body: TransferRoom,
      answers: { 200: Room },
      errors: ["room_not_found", "unknown_user"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) =>
          transferRoom(tx, actor, call.params.id, call.body.user_id),
        ),
    }),
  ];
};
