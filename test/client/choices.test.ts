import { expect, test } from "bun:test";
import { type Choice, rankChoices } from "../../public/app/state/search/choices.ts";

/** Three times what one query may take, since other tests run at the same time. */
const MAX_MS = 60;

const named = (label: string, i: number): Choice => ({
  kind: "action",
  icon: [],
  key: String(i),
  label,
  run() {},
});

test("a query over thousands of names with mixed alphabets takes milliseconds", () => {
  const text = "aбα".repeat(60);
  const choices = Array.from({ length: 5_000 }, (_, i) =>
    named(text.slice(i % 83, (i % 83) + 80), i),
  );
  const runs = Array.from({ length: 5 }, () => {
    const started = performance.now();
    rankChoices(choices, text.slice(0, 80));
    return performance.now() - started;
  });
  expect(Math.min(...runs)).toBeLessThan(MAX_MS);
});

test("a long query finds a name by its beginning, and a name is found without its dash", () => {
  const long = "the-room-of-everything-that-is-planned";
  const choices = ["tea-room", long].map(named);
  const labelsOf = (query: string) => rankChoices(choices, query).map(({ label }) => label);
  expect(labelsOf(long)).toEqual([long]);
  expect(labelsOf("tearoom")).toEqual(["tea-room"]);
});

test("a choice says which of its letters match", () => {
  const [choice] = rankChoices([named("tea-room", 0)], "room");
  expect(choice?.matches).toEqual([4, 8]);
  const [joined] = rankChoices([named("tea-room", 0)], "aro");
  expect(joined?.matches).toEqual([2, 6]);
});

test("archived rooms come after the others, also where they match better", () => {
  const room = (name: string, is_archived: boolean) =>
    ({ kind: "room", key: name, label: name, room: { is_archived } }) as Choice;
  const choices = [room("general", true), room("general-help", false)];
  expect(rankChoices(choices, "general").map(({ label }) => label)).toEqual([
    "general-help",
    "general",
  ]);
});

test("actions with the query inside of their label come after rooms and after those that begin with it", () => {
  const room = (label: string) => ({ kind: "room", key: label, label, room: {} }) as Choice;
  const labels = ["Theme: like your device", "Settings of data-desk", "Delete drafts"];
  const choices = [...labels.map(named), room("old-designs"), room("design")];
  const order = rankChoices(choices, "de").map(({ label }) => label);
  expect(order.slice(0, 3).toSorted()).toEqual(["Delete drafts", "design", "old-designs"]);
  expect(order.slice(3).toSorted()).toEqual(["Settings of data-desk", "Theme: like your device"]);
});

test("at most three actions only have the query inside of their label", () => {
  const labels = ["Mute", "Leave", "Move", "Members of", "Files of"].map(
    (verb) => `${verb} #design`,
  );
  const found = rankChoices([...labels.map(named), named("Design a theme", 9)], "design");
  expect(found.map(({ label }) => label)).toHaveLength(4);
  expect(found[0]?.label).toBe("Design a theme");
});
