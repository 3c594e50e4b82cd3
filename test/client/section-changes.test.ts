import { expect, test } from "bun:test";
import {
  addSection,
  collapseSection,
  moveSection,
  placeInSection,
  removeSection,
  renameSection,
  type SectionChange,
} from "../../public/app/state/sidebar/section-changes.ts";
import type { Section } from "../../src/wire/sections.ts";

const section = (id: string, ...room_ids: string[]): Section => ({
  id,
  name: id,
  is_collapsed: false,
  room_ids,
});
const ALL = [section("a", "1", "2"), section("b", "3"), section("c")];

/** The sections after a change, in short. */
const show = (sections: Section[]) =>
  sections.map(
    ({ name, is_collapsed, room_ids }) => `${name}${is_collapsed ? "-" : ":"}${room_ids.join("")}`,
  );

test.each<[string, SectionChange, string[]]>([
  ["adds a section", addSection(section("d", "4")), ["a:12", "b:3", "c:", "d:4"]],
  ["adds a section at its place", addSection(section("d"), 1), ["a:12", "d:", "b:3", "c:"]],
  ["adds no room twice", addSection(section("d", "3", "4")), ["a:12", "b:3", "c:", "d:4"]],
  ["adds no section twice", addSection(section("b", "4")), ["a:12", "b:3", "c:"]],
  ["renames a section", renameSection("b", "B"), ["a:12", "B:3", "c:"]],
  ["collapses a section", collapseSection("b", true), ["a:12", "b-3", "c:"]],
  ["removes a section", removeSection("b"), ["a:12", "c:"]],
  ["changes no unknown section", renameSection("x", "X"), ["a:12", "b:3", "c:"]],
  ["moves a section up", moveSection("b", "a"), ["b:3", "a:12", "c:"]],
  ["moves a section to the end", moveSection("a", null), ["b:3", "c:", "a:12"]],
  ["moves a section before itself", moveSection("b", "b"), ["a:12", "b:3", "c:"]],
  ["moves a section before a removed one", moveSection("a", "x"), ["b:3", "c:", "a:12"]],
  ["moves no unknown section", moveSection("x", "a"), ["a:12", "b:3", "c:"]],
  ["places a room at the end", placeInSection("1", "b"), ["a:2", "b:31", "c:"]],
  ["places a room before another", placeInSection("3", "a", "2"), ["a:132", "b:", "c:"]],
  ["places a room within its section", placeInSection("2", "a", "1"), ["a:21", "b:3", "c:"]],
  ["places a room before itself", placeInSection("1", "a", "1"), ["a:12", "b:3", "c:"]],
  ["places a room that was in none", placeInSection("9", "c"), ["a:12", "b:3", "c:9"]],
  ["takes a room out", placeInSection("1", null), ["a:2", "b:3", "c:"]],
  ["leaves a room whose new section is gone", placeInSection("1", "x"), ["a:12", "b:3", "c:"]],
])("%s", (_, change, expected) => {
  const changed = change(ALL);
  expect(show(changed)).toEqual(expected);
  // Once more, as it is while its response arrives.
  expect(show(change(changed))).toEqual(expected);
});
