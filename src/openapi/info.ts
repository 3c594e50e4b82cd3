/** What stands at the head of the document. */
export const INFO = {
  title: "Snug",
  version: "0.1.0",
  summary: "Team chat that a team runs itself",
  description: `People call with the cookie of their session, bots with a bearer token.

- Ids are UUIDv7, times ISO 8601 in UTC, sizes in bytes.
- Lists are \`{ items, next }\`: \`next\` goes back as \`?cursor=\`; at most 200 at a time.
- Refusals are problem documents (RFC 9457): \`code\` is what to program against.
- In a PATCH what is absent stays, and null clears. Unknown fields are ignored.
- A message may carry a \`client_id\`: sent again, it is answered with the first.
- Each room counts its events by \`seq\`, without gaps: see \`/ws/chat\` and \`changes\`.

## WebSocket

\`GET /ws/chat\` takes the cookie or the bearer token. Frames are JSON objects with a \`type\`: the
components \`…Frame\` go to the service, \`RoomEvent\`, \`RoomSignal\`, \`UserEvent\`, \`UnreadEvent\` and
\`Answer\` come from it. \`join\` a room with the last \`seq\` that you know, and all that you missed
follows.`,
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "Whoever runs this Snug", url: "https://snug.example" },
};

/** What each tag of the routes holds. */
export const TAGS = {
  Accounts: "Signing in and up, the caller's account, and people",
  Rooms: "Rooms and their members",
  Messages: "Messages and their attachments",
  "Webhooks and push": "Webhooks of rooms, and notifications",
  Administration: "For site administrators",
  Site: "For operators and tools",
};
