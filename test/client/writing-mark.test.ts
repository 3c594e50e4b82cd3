import { beforeEach, expect, test } from "bun:test";
import { WritingMark } from "../../public/app/state/drafts/writing-mark.ts";
import { Tabs } from "../support/tabs.ts";

let tabs: Tabs;
let here: WritingMark;
let there: WritingMark;
beforeEach(() => {
  tabs = new Tabs();
  [here, there] = [new WritingMark(tabs.open().storage), new WritingMark(tabs.open().storage)];
});

test("a draft that is written in one tab is left alone in all of them", () => {
  here.begin("room");
  expect([here.has("room"), there.has("room"), here.has("other")]).toEqual([true, true, false]);
  here.end("room");
  expect([here.has("room"), there.has("room")]).toEqual([false, false]);
});

test("a draft that is written while the storage is full is left alone in its tab", () => {
  here.begin("before");
  tabs.isFull = true;
  here.begin("room");
  expect([here.has("room"), here.has("before"), there.has("before")]).toEqual([true, false, false]);
  here.end("room");
  expect(here.has("room")).toBe(false);
});
