import type { AnyRoute } from "../../src/routing/route.ts";
import { type Code, CODES } from "../../src/wire/codes.ts";
import { formOf } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { ROUTES } from "../support/routes.ts";
import type { people } from "../support/world.ts";

/**
 * Who can do what: every declared route, for each kind of caller. What is
 * expected follows from the declaration; here is only what a call needs beside its path, and where
 * the outcome differs.
 */

export type Cast = Awaited<ReturnType<typeof people>>;
export type Caller = Exclude<keyof Cast, "rooms"> | "anonymous";
/** A status, or the code of a refusal. */
export type Outcome = number | Code;
/** By rank. A stranger is anyone who is not in the room, including site administrators. */
type ByRank = [stranger: Outcome, member: Outcome, admin: Outcome, owner: Outcome];

/** The objects of a call: a room, a member, a non-member, and what the member created. */
export type Place = {
  room: string;
  target: string;
  newcomer: string;
  message: string;
  /** The member's image by hash, and file by id. */
  image: string;
  file: string;
  /** An outgoing webhook with a delivery, and an incoming one. */
  hook: string;
  incoming: string;
  delivery: string;
};

/** Bodies of successful calls in a room. */
const BODIES: Record<string, (place: Place) => unknown> = {
  "POST /api/rooms/:id/messages": () => ({ content: "x" }),
  "POST /api/rooms/:id/images": () => formOf(PNG, "x.png"),
  "POST /api/rooms/:id/files": () => formOf(PNG, "x.png"),
  "POST /api/rooms/:id/read": () => ({}),
  "POST /api/rooms/:id/unread": ({ message }) => ({ message_id: message }),
  "PATCH /api/rooms/:id/membership": () => ({ notify: "none" }),
  "PATCH /api/messages/:id": () => ({ content: "y" }),
  "POST /api/messages/:id/reactions": () => ({ emoji: "👍" }),
  "PATCH /api/messages/:id/thread": () => ({ title: "x" }),
  "PUT /api/messages/:id/thread/follow": () => ({ is_following: true }),
  "POST /api/messages/:id/thread/unread": ({ message }) => ({ message_id: message }),
  "PATCH /api/rooms/:id": () => ({ description: "new" }),
  "POST /api/rooms/:id/members": ({ newcomer }) => ({ user_id: newcomer }),
  "PATCH /api/rooms/:id/members/:user_id": () => ({ role: "admin" }),
  "POST /api/rooms/:id/incoming-webhooks": () => ({ name: "x" }),
  "PATCH /api/rooms/:id/incoming-webhooks/:hook_id": () => ({ may_pin: true }),
  "POST /api/rooms/:id/outgoing-webhooks": () => ({
    name: "x",
    url: "https://1.1.1.1/",
    events: ["message.created"],
  }),
  "PATCH /api/rooms/:id/outgoing-webhooks/:hook_id": () => ({ name: "y" }),
  "POST /api/rooms/:id/transfer": ({ target }) => ({ user_id: target }),
};

/** Outcomes that do not follow from declarations: authors have more rights, and an owner cannot leave. */
const OUTCOMES: Record<string, ByRank> = {
  "GET /api/messages/:id": ["not_a_member", 200, 200, 200],
  "PATCH /api/messages/:id": ["not_a_member", 200, "not_author", "not_author"],
  "POST /api/messages/:id/reactions": ["not_a_member", 200, 200, 200],
  "DELETE /api/messages/:id": ["not_a_member", 204, 204, 204],
  "POST /api/rooms/:id/leave": ["not_a_member", 204, 204, "owner_cannot_leave"],
};
/** Outcomes in a room that was a conversation, where they differ from those in a private room. */
const FORMER_OUTCOMES: Record<string, ByRank> = {
  "DELETE /api/messages/:id": ["message_not_found", 204, "role_required", "role_required"],
  "DELETE /api/rooms/:id": ["room_not_found", "role_required", "role_required", "was_conversation"],
};
/** Outcomes for a bot, which did not write the message. */
const BOT_OUTCOMES: Record<string, Outcome> = {
  "PATCH /api/messages/:id": "not_author",
  "DELETE /api/messages/:id": "role_required",
  "PATCH /api/messages/:id/thread": "role_required",
};

/** Bodies and outcomes of calls outside rooms. Calls that are not listed send no body and succeed. */
const CALLS: Record<string, [body: unknown, outcome: Outcome]> = {
  "PUT /api/auth/me/password": [{}, "validation"],
  "PATCH /api/auth/me": [{}, 200],
  "GET /api/auth/oidc/:slug/callback": [undefined, 404],
  "POST /api/auth/oidc/:slug/backchannel-logout": [undefined, 404],
  "POST /api/auth/oidc/:slug/start": [{ token: "unknown" }, "not_found"],
  "POST /api/admin/identity-providers": [{}, "validation"],
  "PATCH /api/admin/identity-providers/:id": [{}, "not_found"],
  "POST /api/auth/logout": [undefined, 204],
  "POST /api/auth/login/second": [{ totp: "123456" }, "challenge_expired"],
  "GET /api/auth/login/second": [undefined, "challenge_expired"],
  "POST /api/auth/passkey": [{}, "validation"],
  "POST /api/auth/proof": [{ password: "not it" }, "invalid_credentials"],
  "DELETE /api/auth/me/totp": [undefined, 204],
  "POST /api/auth/me/totp/confirm": [{ code: "123456" }, "invalid_code"],
  "POST /api/auth/me/recovery-codes": [undefined, "second_factor_off"],
  "POST /api/auth/me/recovery-codes/saved": [{ recovery_code: "x" }, "second_factor_off"],
  "POST /api/auth/me/passkeys": [{}, "validation"],
  "PATCH /api/auth/me/passkeys/:id": [{ name: "x" }, "not_found"],
  "PATCH /api/admin/users/:id": [{ keeps_password: true }, "not_found"],
  "PUT /api/admin/settings/sign-in": [{ second_factor: "optional" }, 200],
  "PUT /api/auth/me/avatar": [{}, "unsupported_media_type"],
  "POST /api/custom-themes": [{}, "validation"],
  "PATCH /api/custom-themes/:id": [{}, "not_found"],
  "POST /api/rooms": [{}, "validation"],
  "POST /api/direct": [{ user_ids: [Bun.randomUUIDv7()] }, "user_not_found"],
  "POST /api/direct/:id/members": [{ user_id: Bun.randomUUIDv7() }, "room_not_found"],
  "POST /api/direct/:id/room": [{ name: "a-name" }, "room_not_found"],
  "POST /api/push/subscriptions": [{}, "validation"],
  "DELETE /api/push/subscriptions": [{ endpoint: "https://push.example/unknown" }, 204],
  "POST /api/activity/read": [{ at: "2026-01-01T00:00:00Z" }, 200],
  // Who sees what of what others keep is in test/personal/access.test.ts.
  "PUT /api/saved/:message_id": [{}, "message_not_found"],
  "POST /api/scheduled": [{}, "validation"],
  "PATCH /api/scheduled/:id": [{}, "scheduled_not_found"],
  "PUT /api/drafts": [{}, "validation"],
  "PUT /api/admin/settings/smtp": [{}, "validation"],
  "POST /api/admin/settings/smtp/test": [{ to: "ada@example.org" }, "smtp_not_configured"],
  "POST /api/admin/invites": [{ email: "no address" }, "validation"],
  "PATCH /api/admin/rooms/:id": [{ is_default: true }, "room_not_found"],
  "POST /api/admin/rooms/:id/transfer": [{ user_id: Bun.randomUUIDv7() }, "room_not_found"],
  "PUT /api/admin/settings/team": [{ name: " " }, "validation"],
  "PUT /api/admin/settings/team/logo": [{}, "unsupported_media_type"],
  "GET /api/team/logo": [undefined, "not_found"],
  "PUT /api/admin/settings/uploads": [{ max_bytes: 1 }, "validation"],
  "PUT /api/auth/me/sections": [{ base_version: 1, sections: [] }, "sections_changed"],
  "PUT /api/admin/settings/sections": [{ base_version: 1, sections: [] }, "sections_changed"],
  "POST /api/admin/bots": [{ username: "machine" }, 201],
  "PATCH /api/admin/bots/:id": [{ display_name: "x" }, "not_found"],
  "POST /api/admin/bots/:id/tokens": [{ name: "x", scopes: [] }, "not_found"],
  // It answers in Slack's format; the matrix only shows that it is public.
  "POST /hooks/:token": [{ text: "x" }, 404],
  // Who finds what is in test/search/access.test.ts.
  "GET /api/search/messages": [undefined, "empty_query"],
  "POST /api/auth/login": [{ username: "nobody", password: "nothing" }, "invalid_credentials"],
  "POST /api/auth/forgot-password": [{ email: "nobody@example.org" }, 202],
  "POST /api/auth/reset-password/check": [{ token: "unknown" }, "link_not_found"],
  "POST /api/auth/reset-password": [
    { token: "unknown", password: "correct horse battery" },
    "link_not_found",
  ],
  "POST /api/signup/check": [{ token: "unknown" }, "link_not_found"],
  "POST /api/signup": [
    { token: "unknown", username: "x", password: "x".repeat(10) },
    "link_not_found",
  ],
};

/** The values of a path's parameters in a place. */
function paramOf(place: Place, path: string, name: string): string {
  const incoming = path.includes("/incoming-webhooks/");
  const values: Record<string, string> = {
    id: path.startsWith("/api/messages/") ? place.message : place.room,
    user_id: place.target,
    sha256: place.image,
    file_id: place.file,
    hook_id: incoming ? place.incoming : place.hook,
    delivery_id: place.delivery,
  };
  return values[name] ?? "";
}

export type Row = {
  route: string;
  /** The scope that a bot's token needs. */
  access: AnyRoute["access"];
  path(place: Place): string;
  body(place: Place): unknown;
  open: ByRank;
  /** For strangers to a private room. */
  hidden: Outcome;
  bot: Outcome | undefined;
};

const successOf = ({ responses }: AnyRoute) => Number(Object.keys(responses)[0]);
/** POSTs that answer 200 or 201. */
const madeOf = (route: AnyRoute) => (201 in route.responses ? 201 : successOf(route));

function toRow(route: AnyRoute): Row {
  const { name, path, room, access } = route;
  const ok = madeOf(route);
  const byNeed: Record<string, ByRank> = {
    see: [ok, ok, ok, ok],
    member: ["not_a_member", ok, ok, ok],
    admin: ["not_a_member", "role_required", ok, ok],
    owner: ["not_a_member", "role_required", "role_required", ok],
  };
  const needed = name === "GET /api/rooms/:id/changes" ? "?after=0" : "";
  return {
    route: name,
    access,
    path: (place) =>
      path.replace(/:(\w+)/g, (_, param: string) => paramOf(place, path, param)) + needed,
    body: (place) => BODIES[name]?.(place),
    open: OUTCOMES[name] ?? (byNeed[room ?? "member"] as ByRank),
    hidden: room ? "room_not_found" : "message_not_found",
    bot: BOT_OUTCOMES[name],
  };
}

const isInRoom = ({ room, path }: AnyRoute) => Boolean(room) || path.startsWith("/api/messages/");

/** Routes in a room. */
export const ROOM_ROWS: Row[] = ROUTES.filter(isInRoom).map(toRow);

/** A call with an unknown id is refused. */
function outcomeOf(route: AnyRoute): Outcome {
  const errors: readonly Code[] = route.errors ?? [];
  const unknown = route.path.includes("/:") && errors.find((code) => CODES[code][0] === 404);
  return unknown || madeOf(route);
}
const toCall = (route: AnyRoute): [route: string, body: unknown, outcome: Outcome] => [
  route.name,
  ...(CALLS[route.name] ?? ([undefined, outcomeOf(route)] as const)),
];
const callsOf = (test: (route: AnyRoute) => boolean) =>
  ROUTES.filter((route) => !isInRoom(route) && test(route)).map(toCall);

/** Routes for site administrators, with the outcome of a call. */
export const SITE_ADMIN = callsOf(({ access }) => access === "administrator");
/** Routes for everyone. */
export const PUBLIC: [route: string, body: unknown, outcome: Outcome][] = [
  ...callsOf(({ access }) => access === "public"),
  ["GET /.well-known/change-password", undefined, 303],
];
/** Routes for signed-in callers, with the outcome of a call. */
export const SIGNED_IN = callsOf(({ access }) => access !== "administrator" && access !== "public");
/** Routes that grant or remove access, which need a reauthentication. */
export const NEED_REAUTHENTICATION = callsOf(
  ({ reauthentication }) => reauthentication === "required" || reauthentication === "by-handler",
);
export const ACCESS = new Map(ROUTES.map(({ name, access }) => [name, access]));

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

/** A private room is secret; a former conversation is a private room that was a conversation. */
export type PlaceKind = "open" | "secret" | "former conversation";

export function expectedOf(row: Row, caller: Caller, kind: PlaceKind): Outcome {
  if (caller === "anonymous" || caller === "deactivated") return "unauthenticated";
  const rank = ["member", "roomAdmin", "owner"].indexOf(caller) + 1;
  if (rank === 0 && kind !== "open") return row.hidden;
  const differing = kind === "former conversation" ? FORMER_OUTCOMES[row.route] : undefined;
  return (differing ?? row.open)[rank] as Outcome;
}
