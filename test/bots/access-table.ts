import type { Scope } from "../../src/wire/scopes.ts";
import type { Outcome } from "../rooms/access-table.ts";

/**
 * What a bot's token must allow for each route that is not public: a scope, any token, or closed to
 * bots. A route that has no row here fails a test; all of `/api/admin` is closed.
 */
export const BOT_ROUTES: Record<string, Scope | "any" | "closed"> = {
  "GET /api/rooms/:id/messages": "read:messages",
  "GET /api/rooms/:id/changes": "read:messages",
  "GET /api/messages/:id": "read:messages",
  "GET /api/rooms/:id/images/:sha256": "read:messages",
  "GET /api/rooms/:id/files/:file_id": "read:messages",
  "POST /api/rooms/:id/messages": "write:messages",
  "PATCH /api/messages/:id": "write:messages",
  "DELETE /api/messages/:id": "write:messages",
  "POST /api/messages/:id/reactions": "write:messages",
  "POST /api/rooms/:id/images": "write:messages",
  "POST /api/rooms/:id/files": "write:messages",

  // Whoever has these reads what is posted, though by another way.
  "POST /api/rooms/:id/outgoing-webhooks": "read:messages",
  "PATCH /api/rooms/:id/outgoing-webhooks/:hook_id": "read:messages",
  "GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries": "read:messages",
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver":
    "read:messages",

  "POST /api/rooms/:id/incoming-webhooks": "write:messages",
  "GET /api/rooms/:id/incoming-webhooks": "any",
  "DELETE /api/rooms/:id/incoming-webhooks/:hook_id": "any",
  "GET /api/rooms/:id/outgoing-webhooks": "any",
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/test": "any",
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret": "any",
  "DELETE /api/rooms/:id/outgoing-webhooks/:hook_id": "any",
  "GET /api/rooms/:id": "any",
  "GET /api/rooms/:id/members": "any",
  "POST /api/rooms/:id/read": "any",
  "PATCH /api/rooms/:id/membership": "any",
  "PATCH /api/rooms/:id": "any",
  "POST /api/rooms/:id/members": "any",
  "PATCH /api/rooms/:id/members/:user_id": "any",
  "DELETE /api/rooms/:id/members/:user_id": "any",
  "POST /api/rooms/:id/join": "any",
  "POST /api/rooms/:id/leave": "any",
  "POST /api/rooms/:id/transfer": "any",
  "DELETE /api/rooms/:id": "any",
  "GET /api/rooms": "any",
  "GET /api/rooms/browse": "any",
  "POST /api/rooms": "any",
  "GET /api/users": "any",
  "GET /api/users/online": "any",
  "GET /api/users/:id/avatar": "any",
  "GET /api/uploads/limit": "any",
  "GET /api/previews/:sha256": "any",

  "GET /api/auth/me": "any",
  "PATCH /api/auth/me": "closed",
  "PUT /api/auth/me/password": "closed",
  "GET /api/auth/me/sessions": "closed",
  "DELETE /api/auth/me/sessions/:id": "closed",
  "PUT /api/auth/me/avatar": "closed",
  "DELETE /api/auth/me/avatar": "closed",
  "POST /api/auth/logout": "closed",
  "GET /api/push/key": "closed",
  "POST /api/push/subscriptions": "closed",
  "DELETE /api/push/subscriptions": "closed",
  "POST /api/push/test": "closed",
  "GET /api/custom-themes": "closed",
  "POST /api/custom-themes": "closed",
  "PATCH /api/custom-themes/:id": "closed",
  "DELETE /api/custom-themes/:id": "closed",
  "POST /api/custom-themes/:id/activate": "closed",
};

/** Where a bot is not the member whose message it is. */
export const NOT_ITS_OWN: Record<string, Outcome> = {
  "PATCH /api/messages/:id": "not_author",
  "DELETE /api/messages/:id": "role_required",
};
