import { expect, test } from "bun:test";
import { foldPin, isPinFolded } from "../../public/app/state/timeline/fold.ts";
import type { MyRoom } from "../../src/wire/models.ts";
import { Tabs } from "../support/tabs.ts";

const roomWith = (message_id: string, pin_count: number) =>
  ({ id: "room", pin_count, newest_pin: { message_id, excerpt: "" } }) as MyRoom;

test("the line of the newest pin stays folded until a newer one comes", () => {
  const { storage } = new Tabs().open();
  const isFolded = (room: MyRoom, user = "ada") => isPinFolded(storage, user, room);
  expect(isFolded(roomWith("c", 3))).toBe(false);
  foldPin(storage, "ada", roomWith("c", 3));
  expect([isFolded(roomWith("c", 3)), isFolded(roomWith("c", 3), "bob")]).toEqual([true, false]);
  // The newest was unpinned: the one before it is no news.
  expect(isFolded(roomWith("b", 2))).toBe(true);
  expect(isFolded(roomWith("d", 3))).toBe(false);
});
