import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, is, Table } from "drizzle-orm";
import * as schema from "../src/database/schema.ts";

/** The one folder that writes each table. */
const OWNERS: Record<string, string[]> = {
  "src/users": ["users"],
  "src/authentication": ["sessions"],
  "src/activity": ["keyword_hits"],
  "src/admin": ["api_tokens", "team_settings", "team_logos"],
  "src/audit": ["admin_audit_log"],
  "src/avatars": ["avatars"],
  "src/drafts": ["drafts"],
  "src/email": ["smtp_settings"],
  "src/feed": ["room_log"],
  "src/invites": ["invites", "invite_rooms", "invite_links"],
  "src/jobs-queue": ["jobs", "schedules"],
  "src/messages": [
    "messages",
    "message_mentions",
    "message_broadcasts",
    "message_room_references",
    "message_pins",
    "message_reactions",
    "reacted_messages",
    "threads",
    "thread_follows",
    "idempotency_keys",
  ],
  "src/presence": ["instances", "presence", "visits", "open_rooms"],
  "src/previews": ["link_previews", "people_version"],
  "src/providers": ["identity_providers", "identities", "oidc_flows", "used_logout_tokens"],
  "src/push": ["push_keys", "push_subscriptions"],
  "src/rate-limits": ["rate_limits"],
  "src/rooms": ["rooms", "memberships"],
  "src/saved-messages": ["saved_messages"],
  "src/scheduled-messages": ["scheduled_messages"],
  "src/search": ["message_search", "search_rooms"],
  "src/sections": ["section_lists", "section_rooms", "default_sections"],
  "src/sign-in": [
    "site_settings",
    "login_challenges",
    "totp",
    "passkeys",
    "recovery_codes",
    "password_resets",
  ],
  "src/themes": ["custom_themes"],
  "src/uploads": ["blobs", "message_images", "message_files", "upload_settings"],
  "src/webhooks": ["incoming_webhooks", "outgoing_webhooks", "webhook_deliveries"],
};

/** Who else writes a table, and why. */
const EXCEPTIONS: { folder: string; tables: string[]; why: string }[] = [
  {
    folder: "src/authentication",
    tables: ["api_tokens"],
    why: "The statement that reads a bot's token records its use.",
  },
  {
    folder: "src/authentication",
    tables: ["login_challenges", "users"],
    why: "Ending sessions ends the sign-ins that wait; a session records when its user was last seen.",
  },
  {
    folder: "src/authentication",
    tables: ["scheduled_messages"],
    why: "Ending a session or a token blocks the messages that were scheduled with it.",
  },
  {
    folder: "src/activity",
    tables: ["users"],
    why: "The marks of the activity that was seen and mailed are columns of the account.",
  },
  {
    folder: "src/avatars",
    tables: ["users"],
    why: "The version of a picture is a column of the account.",
  },
  {
    folder: "src/backup",
    tables: [
      ...["users", "sessions", "password_resets", "login_challenges", "oidc_flows"],
      ...["rooms", "memberships", "search_rooms", "outgoing_webhooks"],
      ...["people_version", "team_settings", "section_lists", "default_sections"],
    ],
    why: "A restore ends what must not go on, and counts versions past those that clients know.",
  },
  {
    folder: "src/backup",
    tables: ["schedules"],
    why: "Records when the last backup was made.",
  },
  {
    folder: "src/cli",
    tables: [
      ...["sessions", "messages", "threads", "thread_follows", "rooms", "memberships", "room_log"],
      ...["message_mentions", "message_broadcasts", "message_reactions", "reacted_messages"],
      ...["message_room_references", "message_pins", "saved_messages", "keyword_hits"],
      ...["message_search", "search_rooms"],
    ],
    why: "The demo's messages are dated over the last days.",
  },
  {
    folder: "src/feed",
    tables: ["rooms"],
    why: "The statement that appends to a room's log takes its next number.",
  },
  {
    folder: "src/messages",
    tables: ["rooms", "memberships", "room_log", "scheduled_messages", "drafts"],
    why: "One statement, written out, posts: number, log, end of a silence, scheduled message, draft.",
  },
  {
    folder: "src/messages",
    tables: ["message_images", "message_files", "keyword_hits", "saved_messages"],
    why: "A deleted message stays as a row, so nothing cascades.",
  },
  {
    folder: "src/previews",
    tables: ["messages"],
    why: "A message gets its mark for embeds with its preview.",
  },
  {
    folder: "src/providers",
    tables: ["users"],
    why: "A provider's claims verify the address of an account.",
  },
  {
    folder: "src/rooms",
    tables: [
      ...["drafts", "scheduled_messages", "invite_rooms", "incoming_webhooks"],
      ...["outgoing_webhooks", "webhook_deliveries", "messages", "message_search", "room_log"],
    ],
    why: "Deleting or archiving a room deletes or stops what is in it.",
  },
  {
    folder: "src/rooms",
    tables: ["thread_follows", "section_rooms"],
    why: "Who leaves a room follows none of its threads and has it in no section.",
  },
  {
    folder: "src/scheduled-messages",
    tables: ["drafts"],
    why: "A message that could not be sent becomes a draft.",
  },
  {
    folder: "src/sign-in",
    tables: ["users", "sessions"],
    why: "Turning on a second factor is recorded with the account and ends other sessions.",
  },
  {
    folder: "src/themes",
    tables: ["users"],
    why: "The active theme is a column of the account.",
  },
];

/** Tables of writes whose table is a variable, by file. A restore and a new secret key concern any table. */
const COMPUTED: Record<string, string[]> = {
  "src/admin/sealed-columns.ts": [],
  "src/backup/database-loader.ts": [],
  "src/cli/demo/backdate.ts": [
    ...["messages", "message_mentions", "message_broadcasts", "message_room_references"],
    ...["message_reactions", "reacted_messages", "message_pins", "saved_messages", "keyword_hits"],
    ...["threads", "thread_follows", "room_log"],
  ],
  "src/messages/remove.ts": [
    ...["keyword_hits", "message_mentions", "message_broadcasts"],
    ...["message_room_references", "saved_messages"],
  ],
};

const ROOT = join(import.meta.dir, "..");
const TABLES = new Map(
  Object.entries(schema).flatMap(([name, table]) =>
    is(table, Table) ? [[name, getTableName(table)] as const] : [],
  ),
);
const NAMES = new Set<string>(TABLES.values());
const IN_DRIZZLE = /\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g;
const IN_SQL =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:(\w+)|\$\{(?:\w+\()?(\w+)\)?\})/g;

/** `<folder> <table>` of each write, with a file where it is. */
function findWrites(): Map<string, string> {
  const writes = new Map<string, string>();
  for (const path of new Bun.Glob("{src,jobs}/**/*.ts").scanSync(ROOT)) {
    const folder = path.split("/").slice(0, 2).join("/");
    const text = readFileSync(join(ROOT, path), "utf8");
    const found = [...text.matchAll(IN_DRIZZLE), ...text.matchAll(IN_SQL)];
    for (const [, name = "", variable = name] of found) {
      const table = NAMES.has(name) ? name : TABLES.get(variable);
      const tables = table ? [table] : variable === "table" ? (COMPUTED[path] ?? ["?"]) : [];
      for (const owned of tables) writes.set(`${folder} ${owned}`, path);
    }
  }
  return writes;
}

const pairsOf = (folder: string, tables: string[]) => tables.map((table) => `${folder} ${table}`);

test("each table is written by the folder that owns it", () => {
  const writes = findWrites();
  const owned = Object.entries(OWNERS).flatMap(([folder, tables]) => pairsOf(folder, tables));
  const excepted = EXCEPTIONS.flatMap(({ folder, tables }) => pairsOf(folder, tables));
  const allowed = new Set([...owned, ...excepted]);
  expect([...writes].filter(([write]) => !allowed.has(write))).toEqual([]);
  // What is no longer written is no longer allowed.
  expect([...allowed].filter((pair) => !writes.has(pair))).toEqual([]);
});

test("each table has one owner", () => {
  expect(Object.values(OWNERS).flat().toSorted()).toEqual([...NAMES].toSorted());
});
