import { expect, test } from "bun:test";
import { Draft, readDraft } from "../../public/app/state/drafts/drafts.ts";
import { Tabs } from "../support/tabs.ts";

/** The same draft in two tabs of one browser, with a clock that the test moves. */
function openTwo() {
  const browser = new Tabs();
  const clock = { ms: 0 };
  const open = () => new Draft(browser.open().storage, "ada", "room", () => clock.ms);
  const stored = () => readDraft(browser.open().storage, "ada", "room");
  return { a: open(), b: open(), clock, stored, browser };
}

test("a draft follows what is written and sent in another tab", () => {
  const { a, b } = openTwo();
  a.write("hello");
  expect([b.follow(""), b.text]).toEqual([true, "hello"]);
  b.write("");
  expect([a.follow("hello"), a.text]).toEqual([true, ""]);
});

test("a draft follows when the tab is looked at again", () => {
  const { a, b, clock } = openTwo();
  a.write("hello");
  b.follow();
  clock.ms = 10_000;
  b.write("");
  expect([a.follow(), a.text]).toEqual([true, ""]);
});

test("a draft that was just sent follows what another tab writes next", () => {
  const { a, b } = openTwo();
  a.write("hello");
  a.write("");
  b.write("next");
  expect([a.follow(), a.text]).toEqual([true, "next"]);
});

test("each room has a draft of its own", () => {
  const { a, browser } = openTwo();
  a.write("hello");
  expect(readDraft(browser.open().storage, "ada", "other")).toBe("");
});

test("a draft keeps the words that are being typed here, and stores them again", () => {
  const { a, b, clock, stored } = openTwo();
  b.write("old");
  a.follow();
  clock.ms = 5_000;
  a.write("old and newer");
  b.write("something else");
  expect([a.follow("old"), a.text, stored()]).toEqual([false, "old and newer", "old and newer"]);
  clock.ms = 10_000;
  expect([b.follow(), b.text]).toEqual([true, "old and newer"]);
});

test("a draft that the browser had no space for is not replaced", () => {
  const { a, b, clock, browser } = openTwo();
  const set = browser.stored.set.bind(browser.stored);
  browser.stored.set = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  a.write("long");
  browser.stored.set = set;
  clock.ms = 10_000;
  b.write("short");
  expect([a.follow(), a.text]).toEqual([false, "long"]);
  expect([b.text, clock.ms]).toEqual(["short", 10_000]);
});
