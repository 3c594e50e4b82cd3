import { VERSION } from "../wire/version.ts";

/** The head of the document. */
export const INFO = {
  title: "Snug",
  version: VERSION,
  summary: "Self-hosted team chat",
  description: `People authenticate with a session cookie, bots with a bearer token.

- Ids are UUIDv7, times ISO 8601 in UTC, sizes in bytes.
- Lists are \`{ items, next }\` of at most 200 items. Pass \`next\` as \`?cursor=\` for the next page.
- Errors are problem documents (RFC 9457). Rely on \`code\`; \`detail\` is for people.
- PATCH leaves absent fields unchanged, and null clears a field. Unknown fields are ignored.
- A message can have a \`client_id\`. Sending it again returns the first message.
- Each room numbers its events with \`seq\`, without gaps; see \`/ws/chat\` and \`changes\`.

## WebSocket

\`GET /ws/chat\` accepts the cookie or the bearer token. Frames are JSON objects with a \`type\`. Clients
send the schemas \`…Frame\`; the service sends \`RoomEvent\`, \`RoomSignal\`, \`UserEvent\`, \`UnreadEvent\`
and \`Answer\`. \`join\` a room with the last \`seq\` that you know to receive everything you missed.`,
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "The operator of this service", url: "https://snug.example" },
};

/** Descriptions of the tags. */
export const TAGS = {
  Accounts: "Signing in and up, the caller's account, and people",
  Rooms: "Rooms and their members",
  Messages: "Messages and their attachments",
  "Webhooks and push": "Webhooks of rooms, and notifications",
  Administration: "For site administrators",
  Site: "For operators and tools",
};
