import { expect, test } from "bun:test";
import { collapsePin, isPinCollapsed } from "../../public/app/state/timeline/reply-groups.ts";
import type { MyRoom } from "../../src/wire/models.ts";
import { Tabs } from "../support/tabs.ts";

const roomWith = (message_id: string, pin_count: number) =>
  ({ id: "room", pin_count, newest_pin: { message_id, excerpt: "" } }) as MyRoom;

test("the line of the newest pin stays collapsed until a newer one comes", () => {
  const { storage } = new Tabs().open();
  const isCollapsed = (room: MyRoom, user = "ada") => isPinCollapsed(storage, user, room);
  expect(isCollapsed(roomWith("c", 3))).toBe(false);
  collapsePin(storage, "ada", roomWith("c", 3));
  expect([isCollapsed(roomWith("c", 3)), isCollapsed(roomWith("c", 3), "bob")]).toEqual([
    true,
    false,
  ]);
  // The newest was unpinned: the one before it is no news.
  expect(isCollapsed(roomWith("b", 2))).toBe(true);
  expect(isCollapsed(roomWith("d", 3))).toBe(false);
});
