import { expect, test } from "bun:test";
import { DeviceDrafts } from "../../public/app/state/drafts/device-drafts.ts";
import { emptyDraft } from "../../public/app/state/model/draft-copy.ts";
import { Draft } from "../../public/app/state/drafts/draft.ts";
import { Tabs } from "../support/tabs.ts";

/** The same draft in two tabs of one browser, with a clock that the test moves. */
function openTwo() {
  const browser = new Tabs();
  const clock = { ms: 0 };
  const openDrafts = () => new DeviceDrafts(browser.open().storage, "ada", () => clock.ms);
  const open = (drafts = openDrafts()) =>
    new Draft(
      drafts,
      "room",
      (text) => drafts.change("room", { content: text }),
      () => clock.ms,
    );
  const stored = (key = "room") => openDrafts().read(key).here.content;
  return { a: open(), b: open(), clock, stored, browser, open, openDrafts };
}

function follow(draft: Draft, before?: string): string {
  draft.follow(before);
  return draft.text.value;
}

test("a draft follows what is written and sent in another tab", () => {
  const { a, b } = openTwo();
  a.write("hello");
  expect(follow(b, "")).toBe("hello");
  b.write("");
  expect(follow(a, "hello")).toBe("");
});

test("a draft follows when the tab is looked at again", () => {
  const { a, b, clock } = openTwo();
  a.write("hello");
  b.follow();
  clock.ms = 10_000;
  b.write("");
  expect(follow(a)).toBe("");
});

test("a draft that was just sent follows what another tab writes next", () => {
  const { a, b } = openTwo();
  a.write("hello");
  a.write("");
  b.write("next");
  expect(follow(a)).toBe("next");
});

test("each room has a draft of its own", () => {
  const { a, stored } = openTwo();
  a.write("hello");
  expect(stored("other")).toBe("");
});

test("a draft keeps the words that are being typed here, and stores them again", () => {
  const { a, b, clock, stored } = openTwo();
  b.write("old");
  a.follow();
  clock.ms = 5_000;
  a.write("old and newer");
  b.write("something else");
  expect([follow(a, "old"), stored()]).toEqual(["old and newer", "old and newer"]);
  clock.ms = 10_000;
  expect(follow(b)).toBe("old and newer");
});

test("a draft keeps its last word where a tab that has not seen it stores what the service says", () => {
  const { a, stored, browser } = openTwo();
  a.write("almost");
  const [[key = "", seen = ""] = []] = browser.stored;
  a.write("almost there");
  browser.stored.set(key, JSON.stringify({ ...JSON.parse(seen), problem: "refused" }));
  expect([follow(a, "almost there"), stored()]).toEqual(["almost there", "almost there"]);
});

test("a draft that is removed is gone in other tabs, also while someone types it", () => {
  const { a, openDrafts } = openTwo();
  a.write("of a room that is deleted");
  openDrafts().write("room", emptyDraft);
  expect(follow(a, "of a room that is deleted")).toBe("");
});

test("a draft that the browser had no space for is not replaced", () => {
  const { a, b, clock, browser } = openTwo();
  browser.isFull = true;
  a.write("long");
  browser.isFull = false;
  clock.ms = 10_000;
  b.write("short");
  expect(follow(a)).toBe("long");
  expect([b.text.value, clock.ms]).toEqual(["short", 10_000]);
});
