import { describe, expect, test } from "bun:test";
import { directWith, shownDirects } from "../../public/app/state/conversations/directs.ts";
import type { DirectRoom } from "../../public/app/state/model/conversation.ts";
import { emptyState, type State } from "../../public/app/state/model/model.ts";

/** Which conversations the sidebar shows, and which one is with whom. */

const NOW = Date.parse("2026-11-22T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

type Params = {
  last?: number;
  hidden?: number;
  unread?: boolean;
  pinned?: boolean;
  kind?: string;
  people?: string[];
};
/** A conversation; its id is its name, and its times are in days before now. */
function direct(id: string, params: Params = {}): DirectRoom {
  const { last, hidden, unread = false, pinned = false, kind = "pair", people = [id] } = params;
  const members = ["me", ...people].map((person) => ({ user: { id: person }, status: "offline" }));
  return {
    kind: "direct",
    id,
    name: id,
    created_at: daysAgo(100),
    last_message_at: last === undefined ? null : daysAgo(last),
    membership: { unread, pinned_at: pinned ? daysAgo(50) : null },
    direct: { id, kind, members, hidden_at: hidden === undefined ? null : daysAgo(hidden) },
  } as never;
}
const stateOf = (...directs: DirectRoom[]): State => ({
  ...emptyState,
  me: { id: "me" } as never,
  conversations: Object.fromEntries(directs.map((direct) => [direct.id, direct])),
});
const shown = (here: string | null, ...directs: DirectRoom[]) =>
  shownDirects(stateOf(...directs), here, NOW).map(({ id }) => id);

describe("the sidebar shows conversations", () => {
  test("with those first that were pinned, then the last active", () => {
    const all = [direct("a", { last: 3 }), direct("b", { last: 1 }), direct("c", { last: 2 })];
    expect(shown(null, ...all, direct("d", { last: 9, pinned: true }))).toEqual([
      ...["d", "b", "c", "a"],
    ]);
  });

  test("until they are silent for thirty days, if nothing else keeps them", () => {
    expect(shown(null, direct("a", { last: 29 }), direct("b", { last: 31 }))).toEqual(["a"]);
    expect(shown(null, direct("never"))).toEqual([]);
    const kept = [direct("c", { last: 31, pinned: true }), direct("d", { last: 31, unread: true })];
    expect(shown("e", ...kept, direct("e", { last: 40 }))).toEqual(["c", "d", "e"]);
  });

  test("not where they were hidden since their last message, unless something is unread", () => {
    expect(shown(null, direct("a", { last: 2, hidden: 1 }))).toEqual([]);
    expect(shown(null, direct("a", { last: 1, hidden: 2 }))).toEqual(["a"]);
    expect(shown(null, direct("a", { last: 2, hidden: 1, pinned: true }))).toEqual([]);
    expect(shown(null, direct("a", { last: 2, hidden: 1, unread: true }))).toEqual(["a"]);
    expect(shown("a", direct("a", { last: 2, hidden: 1 }))).toEqual(["a"]);
  });
});

test("a group that has shrunk to two is not the conversation of the two", () => {
  const shrunk = direct("group", { kind: "group", people: ["ben"] });
  expect(directWith(stateOf(shrunk), ["ben"])).toBe(undefined);
  const pair = direct("pair", { people: ["ben"] });
  expect(directWith(stateOf(shrunk, pair), ["ben"])?.id).toBe("pair");
  const three = direct("three", { kind: "group", people: ["ben", "cleo"] });
  expect(directWith(stateOf(three), ["cleo", "ben", "ben", "me"])?.id).toBe("three");
});
