import { describe, expect, test } from "bun:test";
import { chooseFirstRoom } from "../../public/app/state/conversations/recent-rooms.ts";
import {
  arrangeSections,
  sumNews,
  toSidebarItem,
} from "../../public/app/state/sidebar/sidebar-sections.ts";
import { filterItems } from "../../public/app/state/sidebar/sidebar-filter.ts";
import { moveItem } from "../../public/app/state/sidebar/sidebar-moves.ts";
import type { MyRoom, SidebarSettings } from "../../src/wire/models.ts";

type Given = Partial<NonNullable<MyRoom["membership"]>> & Partial<Omit<MyRoom, "membership">>;

/** A room that the reader is in; its id is its name. */
function room(name: string, { is_archived = false, is_default = false, ...given }: Given = {}) {
  const at = "2026-11-22T08:00:00.000Z";
  const membership = {
    role: "member",
    last_read_at: at,
    last_read_seq: 0,
    notify: "all",
    unread: false,
    mention_count: 0,
    pinned_at: null,
    version: 0,
    ...given,
  };
  return { id: name, name, is_archived, is_default, privacy: "open", membership } as MyRoom;
}
const items = (...rooms: MyRoom[]) => rooms.map(toSidebarItem);
const settings = (more: Partial<SidebarSettings> = {}): SidebarSettings => ({
  sort: "name",
  collapsed: [],
  order: [],
  ...more,
});
const shown = (...params: Parameters<typeof arrangeSections>) =>
  arrangeSections(...params).map(({ name, items: own }) => [name, ...own.map(({ id }) => id)]);
const PINNED = { pinned_at: "2026-11-22T09:00:00.000Z" };

describe("the sidebar", () => {
  test("has favourites first, archived rooms last, and each in its order", () => {
    const all = items(
      room("old", { is_archived: true, ...PINNED }),
      room("tea"),
      room("design", PINNED),
      room("engines"),
      room("ideas", { pinned_at: "2026-11-22T08:30:00.000Z" }),
    );
    expect(shown(all, settings())).toEqual([
      ["favourites", "ideas", "design"],
      ["rooms", "engines", "tea"],
      ["archived", "old"],
    ]);
    const order = ["design", "tea"];
    expect(shown(all, settings({ sort: "custom", order }))).toEqual([
      ["favourites", "design", "ideas"],
      ["rooms", "tea", "engines"],
      ["archived", "old"],
    ]);
  });

  test("puts mentions and what is unread first where one wants that, but not what is muted", () => {
    const all = items(
      room("a"),
      room("b", { unread: true, mention_count: 1, notify: "none" }),
      room("c", { unread: true }),
      room("d", { unread: true, mention_count: 2 }),
    );
    const unread = settings({ sort: "unread" });
    expect(shown(all, unread)).toEqual([["rooms", "d", "c", "a", "b"]]);
    // One that was opened, and so is read, stays where it was.
    const read = items(room("a"), room("b"), room("c", { unread: true }), room("d"));
    expect(shown(read, unread, "d", { id: "d", weight: 0 })).toEqual([
      ["rooms", "d", "c", "a", "b"],
    ]);
    expect(sumNews(all)).toEqual({ mentions: 2, isUnread: true });
    expect(sumNews(all.slice(0, 2))).toEqual({ mentions: 0, isUnread: false });
  });

  test("shows what is unread or open of a collapsed section, and counts the rest", () => {
    const all = items(room("a"), room("b", { unread: true }), room("c"));
    const [section] = arrangeSections(all, settings({ collapsed: ["rooms"] }), "c");
    expect(section?.items.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(section).toMatchObject({ isCollapsed: true, all: [{}, {}, {}] });
  });

  test("finds rooms by some letters of their names, without the dash", () => {
    const all = items(room("tea-room"), room("engines"), room("roomy"));
    const idsOf = (query: string) => filterItems(all, query).map(({ id }) => id);
    expect(idsOf("#room")).toEqual(["roomy", "tea-room"]);
    expect(idsOf("TEAR")).toEqual(["tea-room"]);
    expect(idsOf("zzz")).toEqual([]);
  });
});

describe("a move", () => {
  const all = items(room("a"), room("b"), room("c"), room("f", PINNED), room("g", PINNED));
  const move = (
    more: Partial<SidebarSettings>,
    ...to: Parameters<typeof moveItem> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => moveItem(arrangeSections(all, settings(more)), settings(more), ...to);

  test("among rooms chooses their order, and keeps what is collapsed in it", () => {
    expect(move({ collapsed: ["rooms"] }, "c", "rooms", "a")).toEqual({
      pinned: undefined,
      settings: { order: ["f", "g", "c", "a", "b"], sort: "custom" },
    });
  });

  test("among favourites leaves rooms sorted by name", () => {
    expect(move({}, "g", "favourites", "f")).toEqual({
      pinned: undefined,
      settings: { order: ["g", "f"] },
    });
  });

  test("between them makes a favourite, or ends one", () => {
    expect(move({}, "b", "favourites", null)).toEqual({
      pinned: true,
      settings: { order: ["f", "g", "b"] },
    });
    const back = move({ sort: "custom", order: ["f", "g", "a"] }, "f", "rooms", "b");
    expect(back).toEqual({ pinned: false, settings: { order: ["g", "a", "f", "b", "c"] } });
  });

  test("keeps the places of rooms that are not here now", () => {
    expect(
      move({ sort: "custom", order: ["gone", "c"] }, "b", "rooms", "c").settings.order,
    ).toEqual(["f", "g", "b", "c", "a", "gone"]);
  });
});

test("the first room is the last one, else where something waits, else a default one", () => {
  const old = room("archive", { is_archived: true, unread: true, mention_count: 3 });
  const rooms = [old, room("blue"), room("general", { is_default: true })];
  const first = (more: MyRoom[] = [], last: string | null = null) =>
    chooseFirstRoom([...rooms, ...more], last)?.name;
  expect(first()).toBe("general");
  expect(first([room("news", { unread: true, notify: "none" })])).toBe("general");
  expect(first([room("news", { unread: true })])).toBe("news");
  expect(
    first([room("news", { unread: true }), room("x", { unread: true, mention_count: 1 })]),
  ).toBe("x");
  expect(first([room("x", { unread: true })], "blue")).toBe("blue");
  expect(first([], "gone")).toBe("general");
  expect(chooseFirstRoom([old], null)?.name).toBe("archive");
  expect(chooseFirstRoom([], null)).toBeNull();
});
