import type { Operation } from "./operation.ts";
import { ACCOUNTS } from "./operations/accounts.ts";
import { ADMIN } from "./operations/admin.ts";
import { MESSAGES } from "./operations/messages.ts";
import { ROOMS } from "./operations/rooms.ts";
import { SITE } from "./operations/site.ts";
import { WEBHOOKS } from "./operations/webhooks.ts";

/** What each route is for and answers, by tag. A test fails for a route that stands nowhere here. */
const BY_TAG = {
  Accounts: ACCOUNTS,
  Rooms: ROOMS,
  Messages: MESSAGES,
  "Webhooks and push": WEBHOOKS,
  Administration: ADMIN,
  Site: SITE,
};

export const TAGS: Record<keyof typeof BY_TAG, string> = {
  Accounts: "Signing in and up, one's own account, and people",
  Rooms: "Rooms and who is in them",
  Messages: "What is said, and what is attached to it",
  "Webhooks and push": "What goes out of a room and comes into it by itself",
  Administration: "For site administrators alone",
  Site: "For operators and tools",
};

/** Every operation with its tag, by method and path. */
export const OPERATIONS: Record<string, Operation & { tag: string }> = Object.fromEntries(
  Object.entries(BY_TAG).flatMap(([tag, operations]) =>
    Object.entries(operations).map(([route, operation]) => [route, { ...operation, tag }]),
  ),
);
