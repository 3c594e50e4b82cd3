import { describe, expect, test } from "bun:test";
import { chooseFirstRoom } from "../../public/app/state/conversations/recent-rooms.ts";
import {
  arrangeSections,
  type SidebarItem,
  sumNews,
  toSidebarItem,
} from "../../public/app/state/sidebar/sidebar-sections.ts";
import { moveItem } from "../../public/app/state/sidebar/sidebar-moves.ts";
import type { DirectRoom, RoomConversation } from "../../public/app/state/model/conversation.ts";
import type { Section as OwnSection } from "../../src/wire/sections.ts";
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
  const kind = "room";
  return { kind, id: name, name, is_archived, is_default, membership } as RoomConversation;
}
const items = (...rooms: RoomConversation[]) => rooms.map(toSidebarItem);
const settings = (more: Partial<SidebarSettings> = {}): SidebarSettings => ({
  sort: "name",
  collapsed: [],
  order: [],
  ...more,
});
const shown = (...params: Parameters<typeof arrangeSections>) =>
  arrangeSections(...params).map(({ name, items: own }) => [name, ...own.map(({ id }) => id)]);
const PINNED = { pinned_at: "2026-11-22T09:00:00.000Z" };

const own = (id: string, room_ids: string[], is_collapsed = false): OwnSection => ({
  id,
  name: id,
  is_collapsed,
  room_ids,
});
const direct = (id: string, more: object = {}, hidden_at: string | null = null) =>
  toSidebarItem({
    ...room(id, more),
    kind: "direct",
    last_message_at: null,
    direct: { hidden_at },
  } as DirectRoom);
/** The keys of the sections, with the ids of the items that each shows. */
const shownWith = (
  sections: OwnSection[],
  all: SidebarItem[],
  openId: string | null = null,
  more: Partial<SidebarSettings> = {},
) =>
  arrangeSections(all, settings(more), openId, null, sections).map(({ key, items: visible }) => [
    key,
    ...visible.map(({ id }) => id),
  ]);

describe("the reader's own sections", () => {
  const all = () => [
    ...items(room("a"), room("b"), room("c"), room("d", PINNED), room("e", { is_archived: true })),
    direct("ada"),
    direct("ben"),
  ];

  test("are between the favourites and the other rooms, in their order", () => {
    expect(shownWith([own("two", ["c", "ben", "a"]), own("none", [])], all())).toEqual([
      ["favourites", "d"],
      ["two", "c", "ben", "a"],
      ["none"],
      ["direct", "ada"],
      ["rooms", "b"],
      ["archived", "e"],
    ]);
  });

  test("have neither favourites nor archived rooms, nor rooms that the reader is not in", () => {
    expect(shownWith([own("one", ["x", "d", "e", "a"])], all())).toEqual([
      ["favourites", "d"],
      ["one", "a"],
      ["direct", "ada", "ben"],
      ["rooms", "b", "c"],
      ["archived", "e"],
    ]);
  });

  test("show what is unread or open when they are collapsed", () => {
    const news = { unread: true };
    const rooms = [...items(room("a", news), room("b"), room("c")), direct("ada", news)];
    const sections = [own("one", ["c", "b", "a", "ada"], true)];
    expect(shownWith(sections, rooms, "b")).toEqual([["one", "b", "a", "ada"]]);
    expect(arrangeSections(rooms, settings(), null, null, sections)[0]?.all).toHaveLength(4);
  });

  test("keep their order however the other rooms are sorted", () => {
    const rooms = items(room("a"), room("b", { unread: true }), room("c"));
    for (const sort of ["name", "unread", "custom"] as const) {
      const order = ["a", "b", "c"];
      expect(shownWith([own("one", ["c", "a", "b"])], rooms, null, { sort, order })).toEqual([
        ["one", "c", "a", "b"],
      ]);
    }
  });

  test("leave the other conversations in their order, the latest and those that are pinned", () => {
    const conversations = [..."abcdefghij"].map((id) => direct(id, id === "j" ? PINNED : {}));
    expect(shownWith([], conversations)).toEqual([["direct", ..."abcdefghj"]]);
    expect(shownWith([], conversations, "i")).toEqual([["direct", ..."abcdefghij"]]);
    expect(shownWith([], conversations, "i", { collapsed: ["direct"] })).toEqual([["direct", "i"]]);
  });

  test("do not show a conversation that is hidden, unless it is open or unread", () => {
    const at = "2026-11-22T10:00:00.000Z";
    const sections = [own("one", ["old", "news"])];
    const conversations = [direct("old", {}, at), direct("news", { unread: true }, at)];
    expect(shownWith(sections, conversations)).toEqual([["one", "news"]]);
    expect(shownWith(sections, conversations, "old")).toEqual([["one", "old", "news"]]);
  });

  test("leave the order by name when a room is moved out of one", () => {
    const sections = arrangeSections(all(), settings(), null, null, [own("one", ["a"])]);
    expect(moveItem(sections, settings(), "a", "rooms", "c").settings.sort).toBeUndefined();
    expect(moveItem(sections, settings(), "b", "rooms", null).settings.sort).toBe("custom");
  });
});

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

test("the first room is the last one, else one that is read, never one for its mentions", () => {
  const old = room("archive", { is_archived: true });
  const rooms = [old, room("blue"), room("general", { is_default: true })];
  const first = (more: MyRoom[] = [], last: string | null = null) =>
    chooseFirstRoom([...rooms, ...more], last)?.name;
  expect(first()).toBe("general");
  expect(first([room("x", { unread: true })], "x")).toBe("x");
  expect(first([room("x", { unread: true, mention_count: 1 })])).toBe("general");
  expect(first([], "gone")).toBe("general");
  const unread = room("general", { is_default: true, unread: true });
  const mentioned = room("a", { is_default: true, unread: true, mention_count: 1 });
  expect(chooseFirstRoom([unread, mentioned, room("blue"), old], null)?.name).toBe("blue");
  expect(chooseFirstRoom([unread, mentioned, old], null)?.name).toBe("general");
  const muted = room("a", { unread: true, mention_count: 1, notify: "none" });
  expect(chooseFirstRoom([muted, room("blue")], null)?.name).toBe("blue");
  expect(chooseFirstRoom([old], null)?.name).toBe("archive");
  expect(chooseFirstRoom([], null)).toBeNull();
});
