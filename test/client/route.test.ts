import { expect, test } from "bun:test";
import { parseRoute, type Route } from "../../public/app/state/route.ts";

const room = { name: "room", room: "tea", threadId: null, messageId: null } as const;

test.each<[string, Route]>([
  ["/", { name: "home" }],
  ["/you", { name: "you" }],
  ["/later", { name: "later", filter: "open" }],
  ["/later/due", { name: "later", filter: "due" }],
  ["/profile/password", { name: "profile", part: "security" }],
  ["/admin", { name: "admin", part: null }],
  ["/admin/unknown", { name: "admin", part: "overview" }],
  ["/direct", { name: "direct", id: "", more: null }],
  ["/direct/7", { name: "direct", id: "7", more: null }],
  ["/direct/to/7,8", { name: "direct", id: "to", more: "7,8" }],
  ["/direct/7/m/9", { name: "direct", id: "7", more: "9" }],
  ["/rooms/tea", room],
  ["/rooms/tea/m/9", { ...room, messageId: "9" }],
  ["/rooms/tea/t/5", { ...room, threadId: "5" }],
  ["/rooms/tea/t/5/m/9", { ...room, threadId: "5", messageId: "9" }],
  ["/rooms/tea/x/9", { name: "not-found" }],
  ["/rooms", { name: "not-found" }],
  ["/later/due/", { name: "not-found" }],
])("%s is its screen", (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});
