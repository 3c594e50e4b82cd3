import type { SavedQuery } from "../../../src/wire/queries.ts";
import type { Message, MyRoom } from "../../../src/wire/models.ts";

const PROFILE_PATHS = ["account", "appearance", "notifications", "security"] as const;
export type ProfilePage = (typeof PROFILE_PATHS)[number];
/** Paths of earlier versions, which may be bookmarked. */
const EARLIER_PATHS = new Map<string | undefined, ProfilePage>([
  ["password", "security"],
  ["sessions", "security"],
]);

const ADMIN_PATHS = [
  "overview",
  "setup",
  "team",
  "people",
  "rooms",
  "sections",
  "invites",
  "bots",
  "webhooks",
  "uploads",
  "signin",
  "email",
  "jobs",
  "audit",
] as const;
export type AdminPage = (typeof ADMIN_PATHS)[number];

/** The filters of saved messages: open, due and done ones. */
export type LaterFilter = SavedQuery["filter"];

export type Route =
  | { name: "home" }
  | { name: "signin" }
  | { name: "signup"; token: string | null }
  /** A room; `threadId` is the root of the thread beside it, and `messageId` is then one of its replies. */
  | { name: "room"; room: string; threadId: string | null; messageId: string | null }
  | { name: "activity" }
  | { name: "threads" }
  | { name: "later"; filter: LaterFilter }
  | { name: "drafts" }
  /**
   * A conversation by its id, with a message's id as `more`. Without an id it is the list of all
   * conversations. `to` has comma-separated user ids for a conversation that does not exist yet.
   */
  | { name: "direct"; id: string; more: string | null }
  | { name: "browse" }
  | { name: "search" }
  | { name: "share" }
  | { name: "you" }
  | { name: "forgot" }
  | { name: "reset"; token: string | null }
  | { name: "profile"; part: ProfilePage }
  /** Without a part it is the list of the pages on a phone, elsewhere the overview. */
  | { name: "admin"; part: AdminPage | null }
  | { name: "not-found" };

type RoomRoute = Extract<Route, { name: "room" }>;

const PATTERNS: [pattern: RegExp, build: (groups: Record<string, string | undefined>) => Route][] =
  [
    [/^\/$/, () => ({ name: "home" })],
    [/^\/signin$/, () => ({ name: "signin" })],
    [/^\/activity$/, () => ({ name: "activity" })],
    [/^\/threads$/, () => ({ name: "threads" })],
    [/^\/drafts$/, () => ({ name: "drafts" })],
    [
      /^\/later(?:\/(?<filter>[^/]+))?$/,
      ({ filter }) => ({
        name: "later",
        filter: (/^(?:due|done)$/.exec(filter ?? "")?.[0] ?? "open") as LaterFilter,
      }),
    ],
    [/^\/browse$/, () => ({ name: "browse" })],
    [/^\/search$/, () => ({ name: "search" })],
    [/^\/share$/, () => ({ name: "share" })],
    [/^\/you$/, () => ({ name: "you" })],
    [/^\/forgot-password$/, () => ({ name: "forgot" })],
    [
      /^\/profile(?:\/(?<part>[^/]+))?$/,
      ({ part }) => ({
        name: "profile",
        part: PROFILE_PATHS.find((name) => name === part) ?? EARLIER_PATHS.get(part) ?? "account",
      }),
    ],
    [
      /^\/admin(?:\/(?<part>[^/]+))?$/,
      ({ part }) => ({
        name: "admin",
        part: part === undefined ? null : (ADMIN_PATHS.find((name) => name === part) ?? "overview"),
      }),
    ],
    [
      /^\/direct(?:\/(?<id>[^/]+))?(?:\/(?<more>[^/]+))?(?:\/(?<message>[^/]+))?$/,
      ({ id = "", more, message = more }) => ({ name: "direct", id, more: message ?? null }),
    ],
    [
      /^\/rooms\/(?<room>[^/]+)(?:\/t\/(?<thread>[^/]+))?(?:\/m\/(?<message>[^/]+))?$/,
      ({ room = "", thread = null, message = null }) => ({
        name: "room",
        room,
        threadId: thread,
        messageId: message,
      }),
    ],
  ];

/** @param hash the fragment; a link in an email carries its token there, so that no log has it */
export function parseRoute(pathname: string, hash = ""): Route {
  const token = new URLSearchParams(hash.slice(1)).get("token");
  if (pathname === "/signup") return { name: "signup", token };
  if (pathname === "/reset-password") return { name: "reset", token };
  for (const [pattern, build] of PATTERNS) {
    const match = pattern.exec(pathname);
    if (match) return build(match.groups ?? {});
  }
  return { name: "not-found" };
}

export function directPath(id: string, messageId?: string): string {
  return messageId ? `/direct/${id}/m/${messageId}` : `/direct/${id}`;
}

export function placePath(room: Pick<MyRoom, "id" | "name">, messageId?: string): string {
  return "direct" in room ? directPath(room.id, messageId) : roomPath(room.name, messageId);
}

export function roomPath(room: string, messageId?: string): string {
  return messageId ? `/rooms/${room}/m/${messageId}` : `/rooms/${room}`;
}

/** The address of a thread, optionally around one of its replies. */
export function threadPath(room: string, threadId: string, replyId?: string): string {
  const path = `/rooms/${room}/t/${threadId}`;
  return replyId ? `${path}/m/${replyId}` : path;
}

/** The address at which a message is shown; replies are shown in their thread. */
export function messagePath(
  room: Pick<MyRoom, "id" | "name">,
  { id, thread_id }: Pick<Message, "id" | "thread_id">,
): string {
  return thread_id ? threadPath(room.name, thread_id, id) : placePath(room, id);
}

/** The address of the same thread or message after its room was renamed. */
export function samePath(name: string, { threadId, messageId }: RoomRoute): string {
  if (threadId) return threadPath(name, threadId, messageId ?? undefined);
  return roomPath(name, messageId ?? undefined);
}
