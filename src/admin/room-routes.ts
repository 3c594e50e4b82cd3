import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Drizzle } from "../database/connect.ts";
import { listAdminRooms } from "../rooms/read.ts";
import { UpdateAdminRoom } from "../wire/admin.ts";
import { Id } from "../wire/models.ts";
import { AdminRoomQuery } from "../wire/queries.ts";
import { TransferRoom } from "../wire/requests.ts";
import { byOf } from "./by.ts";
import { archiveRoom, setDefault, takeOver } from "./rooms.ts";

const one = { params: t.Object({ id: Id }) };

/** All rooms, private ones included, for site administrators: not what is said in them. */
export function adminRoomRoutes(db: Drizzle, identifier: Identifier) {
  return new Elysia({ name: "admin-rooms" })
    .use(guard(identifier))
    .derive(byOf)
    .get("/api/admin/rooms", ({ query }) => listAdminRooms(db, query), { query: AdminRoomQuery })
    .patch(
      "/api/admin/rooms/:id",
      ({ by, params, body }) => setDefault(db, by, params.id, body.is_default),
      { ...one, body: UpdateAdminRoom },
    )
    .post(
      "/api/admin/rooms/:id/archive",
      ({ by, params }) => archiveRoom(db, by, params.id, true),
      one,
    )
    .post(
      "/api/admin/rooms/:id/unarchive",
      ({ by, params }) => archiveRoom(db, by, params.id, false),
      one,
    )
    .post(
      "/api/admin/rooms/:id/transfer",
      ({ by, params, body }) => takeOver(db, by, params.id, body.user_id),
      { ...one, body: TransferRoom },
    );
}
