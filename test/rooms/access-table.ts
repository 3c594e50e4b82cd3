import type { Code } from "../../src/wire/codes.ts";
import { formOf } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import type { people } from "../support/world.ts";

/**
 * Who may do what: every route of the app, for everyone that an access rule can tell apart. A
 * route that has no row here fails a test.
 */

export type Cast = Awaited<ReturnType<typeof people>>;
export type Caller = Exclude<keyof Cast, "rooms"> | "anonymous";
/** A status, or the code of a refusal. */
export type Outcome = number | Code;
/** What one calls on: a room, someone in it, someone who is not, and what the member put there. */
export type Place = {
  room: string;
  target: string;
  newcomer: string;
  message: string;
  /** An image and a file of the member's: the address of the one, the id of the other. */
  image: string;
  file: string;
  /** An outgoing webhook with a delivery, and an incoming one. */
  hook: string;
  incoming: string;
  delivery: string;
};
export type Row = {
  route: string;
  path?: (place: Place) => string;
  body?: (place: Place) => unknown;
  /** By rank; a stranger is anyone who is not in the room, a site administrator too. */
  open: [stranger: Outcome, member: Outcome, admin: Outcome, owner: Outcome];
  /** In a private room; left out: as in an open one, but hidden from strangers. */
  secret?: [stranger: Outcome, member: Outcome, admin: Outcome, owner: Outcome];
};

const HIDDEN = "room_not_found";
const NOT_IN = "not_a_member";
const BY_ROLE = "role_required";
const at = (rest: string) => (place: Place) => `/api/rooms/${place.room}${rest}`;
const inMessage = ({ message }: Place) => `/api/messages/${message}`;
const ofHook =
  (rest = "") =>
  ({ room, hook }: Place) =>
    `/api/rooms/${room}/outgoing-webhooks/${hook}${rest}`;
const ofTarget = ({ room, target }: Place) => `/api/rooms/${room}/members/${target}`;

/** In the order in which each room is put through them: what takes people out comes last. */
export const ROOM_ROWS: Row[] = [
  { route: "GET /api/rooms/:id", path: at(""), open: [200, 200, 200, 200] },
  { route: "GET /api/rooms/:id/members", path: at("/members"), open: [NOT_IN, 200, 200, 200] },
  { route: "GET /api/rooms/:id/messages", path: at("/messages"), open: [NOT_IN, 200, 200, 200] },
  {
    route: "GET /api/rooms/:id/changes",
    path: at("/changes?after=0"),
    open: [NOT_IN, 200, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/messages",
    path: at("/messages"),
    body: () => ({ content: "x" }),
    open: [NOT_IN, 201, 201, 201],
  },
  {
    route: "POST /api/rooms/:id/images",
    path: at("/images"),
    body: () => formOf(PNG, "x.png"),
    open: [NOT_IN, 201, 201, 201],
  },
  {
    route: "POST /api/rooms/:id/files",
    path: at("/files"),
    body: () => formOf(PNG, "x.png"),
    open: [NOT_IN, 201, 201, 201],
  },
  {
    route: "GET /api/rooms/:id/images/:sha256",
    path: ({ room, image }) => `/api/rooms/${room}/images/${image}`,
    open: [NOT_IN, 200, 200, 200],
  },
  {
    route: "GET /api/rooms/:id/files/:file_id",
    path: ({ room, file }) => `/api/rooms/${room}/files/${file}`,
    open: [NOT_IN, 200, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/read",
    path: at("/read"),
    body: () => ({}),
    open: [NOT_IN, 200, 200, 200],
  },
  {
    route: "PATCH /api/rooms/:id/membership",
    path: at("/membership"),
    body: () => ({ notify: "none" }),
    open: [NOT_IN, 200, 200, 200],
  },
  {
    route: "GET /api/messages/:id",
    path: inMessage,
    open: [NOT_IN, 200, 200, 200],
    secret: ["message_not_found", 200, 200, 200],
  },
  {
    route: "PATCH /api/messages/:id",
    path: inMessage,
    body: () => ({ content: "y" }),
    open: [NOT_IN, 200, "not_author", "not_author"],
    secret: ["message_not_found", 200, "not_author", "not_author"],
  },
  {
    route: "POST /api/messages/:id/reactions",
    path: ({ message }) => `/api/messages/${message}/reactions`,
    body: () => ({ emoji: "👍" }),
    open: [NOT_IN, 200, 200, 200],
    secret: ["message_not_found", 200, 200, 200],
  },
  {
    route: "DELETE /api/messages/:id",
    path: inMessage,
    open: [NOT_IN, 204, 204, 204],
    secret: ["message_not_found", 204, 204, 204],
  },
  {
    route: "PATCH /api/rooms/:id",
    path: at(""),
    body: () => ({ description: "new" }),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/members",
    path: at("/members"),
    body: ({ newcomer }) => ({ user_id: newcomer }),
    open: [NOT_IN, BY_ROLE, 201, 201],
  },
  {
    route: "PATCH /api/rooms/:id/members/:user_id",
    path: ofTarget,
    body: () => ({ role: "admin" }),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "DELETE /api/rooms/:id/members/:user_id",
    path: ofTarget,
    open: [NOT_IN, BY_ROLE, 204, 204],
  },
  {
    route: "GET /api/rooms/:id/incoming-webhooks",
    path: at("/incoming-webhooks"),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/incoming-webhooks",
    path: at("/incoming-webhooks"),
    body: () => ({ name: "x" }),
    open: [NOT_IN, BY_ROLE, 201, 201],
  },
  {
    route: "DELETE /api/rooms/:id/incoming-webhooks/:hook_id",
    path: ({ room, incoming }) => `/api/rooms/${room}/incoming-webhooks/${incoming}`,
    open: [NOT_IN, BY_ROLE, 204, 204],
  },
  {
    route: "GET /api/rooms/:id/outgoing-webhooks",
    path: at("/outgoing-webhooks"),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/outgoing-webhooks",
    path: at("/outgoing-webhooks"),
    body: () => ({ name: "x", url: "https://1.1.1.1/", events: ["message.created"] }),
    open: [NOT_IN, BY_ROLE, 201, 201],
  },
  {
    route: "PATCH /api/rooms/:id/outgoing-webhooks/:hook_id",
    path: ofHook(),
    body: () => ({ name: "y" }),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/outgoing-webhooks/:hook_id/test",
    path: ofHook("/test"),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries",
    path: ofHook("/deliveries"),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver",
    path: (place) => ofHook(`/deliveries/${place.delivery}/redeliver`)(place),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret",
    path: ofHook("/rotate-secret"),
    open: [NOT_IN, BY_ROLE, 200, 200],
  },
  {
    route: "DELETE /api/rooms/:id/outgoing-webhooks/:hook_id",
    path: ofHook(),
    open: [NOT_IN, BY_ROLE, 204, 204],
  },
  {
    route: "POST /api/rooms/:id/join",
    path: at("/join"),
    open: [200, 200, 200, 200],
    secret: [HIDDEN, 200, 200, 200],
  },
  {
    route: "POST /api/rooms/:id/leave",
    path: at("/leave"),
    open: [NOT_IN, 204, 204, "owner_cannot_leave"],
  },
  {
    route: "POST /api/rooms/:id/transfer",
    path: at("/transfer"),
    body: ({ target }) => ({ user_id: target }),
    open: [NOT_IN, BY_ROLE, BY_ROLE, 200],
  },
  { route: "DELETE /api/rooms/:id", path: at(""), open: [NOT_IN, BY_ROLE, BY_ROLE, 204] },
];

/** Routes for whoever is signed in, and what an empty or fitting call of theirs answers. */
export const SIGNED_IN: [route: string, body: unknown, outcome: Outcome][] = [
  ["GET /api/auth/me", undefined, 200],
  ["PATCH /api/auth/me", {}, 200],
  ["PUT /api/auth/me/password", {}, "validation"],
  ["GET /api/auth/me/sessions", undefined, 200],
  ["DELETE /api/auth/me/sessions/:id", undefined, "not_found"],
  ["PUT /api/auth/me/avatar", {}, "unsupported_media_type"],
  ["DELETE /api/auth/me/avatar", undefined, 200],
  ["GET /api/users/:id/avatar", undefined, "not_found"],
  ["GET /api/custom-themes", undefined, 200],
  ["POST /api/custom-themes", {}, "validation"],
  ["PATCH /api/custom-themes/:id", {}, "not_found"],
  ["DELETE /api/custom-themes/:id", undefined, "not_found"],
  ["POST /api/custom-themes/:id/activate", undefined, "not_found"],
  ["GET /api/users", undefined, 200],
  ["GET /api/users/online", undefined, 200],
  ["GET /api/uploads/limit", undefined, 200],
  ["GET /api/previews/:sha256", undefined, "not_found"],
  ["GET /api/rooms", undefined, 200],
  ["GET /api/rooms/browse", undefined, 200],
  ["POST /api/rooms", {}, "validation"],
  ["GET /api/push/key", undefined, 200],
  ["POST /api/push/subscriptions", {}, "validation"],
  ["DELETE /api/push/subscriptions", { endpoint: "https://push.example/unknown" }, 204],
  ["POST /api/push/test", undefined, 200],
  ["POST /api/auth/logout", undefined, 204],
];

/** Routes for site administrators, and what a call of theirs answers. */
export const SITE_ADMIN: [route: string, body: unknown, outcome: Outcome][] = [
  ["GET /api/admin/settings/smtp", undefined, 200],
  ["PUT /api/admin/settings/smtp", {}, "validation"],
  ["DELETE /api/admin/settings/smtp", undefined, 204],
  ["POST /api/admin/settings/smtp/test", { to: "ada@example.org" }, "smtp_not_configured"],
  ["GET /api/admin/invites", undefined, 200],
  ["POST /api/admin/invites", { email: "no address" }, "validation"],
  ["POST /api/admin/invites/:id/resend", undefined, "not_found"],
  ["DELETE /api/admin/invites/:id", undefined, "not_found"],
  ["GET /api/admin/users", undefined, 200],
  ["POST /api/admin/users/:id/deactivate", undefined, "not_found"],
  ["POST /api/admin/users/:id/reactivate", undefined, "not_found"],
  ["POST /api/admin/users/:id/promote", undefined, "not_found"],
  ["POST /api/admin/users/:id/demote", undefined, "not_found"],
  ["POST /api/admin/users/:id/reset-password", undefined, "not_found"],
  ["GET /api/admin/rooms", undefined, 200],
  ["PATCH /api/admin/rooms/:id", { is_default: true }, "room_not_found"],
  ["POST /api/admin/rooms/:id/archive", undefined, "room_not_found"],
  ["POST /api/admin/rooms/:id/unarchive", undefined, "room_not_found"],
  ["POST /api/admin/rooms/:id/transfer", { user_id: Bun.randomUUIDv7() }, "room_not_found"],
  ["GET /api/admin/webhooks", undefined, 200],
  ["GET /api/admin/settings/uploads", undefined, 200],
  ["PUT /api/admin/settings/uploads", { max_bytes: 1 }, "validation"],
  ["GET /api/admin/audit-log", undefined, 200],
  ["GET /api/admin/audit-log.csv", undefined, 200],
  ["GET /api/admin/jobs", undefined, 200],
  ["POST /api/admin/jobs/:id/retry", undefined, "not_found"],
  ["GET /api/admin/bots", undefined, 200],
  ["POST /api/admin/bots", { username: "machine" }, 201],
  ["PATCH /api/admin/bots/:id", { display_name: "x" }, "not_found"],
  ["GET /api/admin/bots/:id/tokens", undefined, "not_found"],
  ["POST /api/admin/bots/:id/tokens", { name: "x", scopes: [] }, "not_found"],
  ["DELETE /api/admin/bots/:id/tokens/:token_id", undefined, "not_found"],
];

/** Routes for everyone. */
export const PUBLIC: [route: string, body: unknown, outcome: Outcome][] = [
  ["GET /api/openapi.json", undefined, 200],
  // What it answers is Slack's, not ours: only that it is open is told here.
  ["POST /hooks/:token", { text: "x" }, 404],
  ["GET /api/auth/session", undefined, 200],
  ["POST /api/auth/login", { username: "nobody", password: "nothing" }, "invalid_credentials"],
  ["POST /api/auth/forgot-password", { email: "nobody@example.org" }, 202],
  ["POST /api/auth/reset-password/check", { token: "unknown" }, "link_not_found"],
  [
    "POST /api/auth/reset-password",
    { token: "unknown", password: "correct horse battery" },
    "link_not_found",
  ],
  ["POST /api/signup/check", { token: "unknown" }, "link_not_found"],
  [
    "POST /api/signup",
    { token: "unknown", username: "x", password: "x".repeat(10) },
    "link_not_found",
  ],
  ["GET /healthz", undefined, 200],
  ["GET /metrics", undefined, 200],
  ["GET /readyz", undefined, 200],
  ["GET /.well-known/change-password", undefined, 303],
];

export const CALLERS: Caller[] = [
  "anonymous",
  "deactivated",
  "outsider",
  "removed",
  "admin",
  "member",
  "roomAdmin",
  "owner",
];

export function expectedOf(row: Row, caller: Caller, privacy: "open" | "secret"): Outcome {
  if (caller === "anonymous" || caller === "deactivated") return "unauthenticated";
  const hidden: Row["open"] = [HIDDEN, row.open[1], row.open[2], row.open[3]];
  const outcomes = privacy === "open" ? row.open : (row.secret ?? hidden);
  const rank = ["member", "roomAdmin", "owner"].indexOf(caller) + 1;
  return outcomes[rank] as Outcome;
}
