import { expect, test } from "bun:test";
import { isolateText } from "../../public/app/words/bidi.ts";

test.each([
  ["Latin letters", "Grace Hopper"],
  ["other scripts from left to right", "Ελένη 山田 😀"],
  ["a number", 7],
])("%s stay as they are", (_, value) => {
  expect(isolateText(value)).toBe(value);
});

test.each([
  ["Arabic", "ليلى"],
  ["Hebrew", "דנה (ג)"],
  ["a sign that turns what follows", "evil\u202egnp.exe"],
  ["isolates that end", "\u2068ليلى\u2069, \u2068דנה\u2069"],
])("%s is set apart", (_, value) => {
  expect(isolateText(value)).toBe(`\u2068${value}\u2069`);
});

test.each([
  ["begun and not ended", "a\u2067b"],
  ["ended and not begun", "a\u2069b"],
  ["in the wrong order", "a\u2069\u2067b"],
])("an isolate that is %s cannot leave its own", (_, value) => {
  expect(isolateText(value)).toBe("\u2068ab\u2069");
});
