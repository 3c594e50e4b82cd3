import { describe, expect, test } from "bun:test";
import { isStorable, parseJson } from "../../src/platform/input/json.ts";
import { Refusal } from "../../src/platform/refusal.ts";

function refusal(text: string): Refusal {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("The text was taken.");
}

describe("JSON from outside", () => {
  test("is parsed, whole surrogate pairs and escaped backslashes included", () => {
    const text = '{"a":["\\ud83d\\ude00","\\\\u0000","é"],"b":null}';
    expect(parseJson(text)).toEqual({ a: ["😀", "\\u0000", "é"], b: null });
  });

  test.each(["", "{", "{'a':1}", '{"a":1}}', "undefined"])(
    "that is malformed is refused: %p",
    (text) => {
      expect(refusal(text).code).toBe("bad_request");
    },
  );

  test.each([
    ["NUL in a value", '{"a":{"b":["x\\u0000y"]}}', "/a/b/0"],
    ["NUL in a key", '{"a":{"x\\u0000y":1}}', "/a"],
    ["a high surrogate alone in a value", '{"a":"\\ud800"}', "/a"],
    ["a low surrogate alone in a value", '{"a":"\\uDC00x"}', "/a"],
    ["a surrogate alone in a key", '{"\\ud800":1}', ""],
    ["the two halves the wrong way round", '["\\ude00\\ud83d"]', "/0"],
    ["NUL as the whole document", '"\\u0000"', ""],
  ])("with %s is refused, and the place is named", (_, text, path) => {
    const { code, extensions: more } = refusal(text);
    expect(code).toBe("validation");
    expect(more.errors).toMatchObject([{ path }]);
  });

  test("names a place in few words", () => {
    const text = `{"${"a".repeat(5_000)}":"\\u0000"}`;
    expect(refusal(text).extensions.errors?.[0]?.path.length).toBeLessThanOrEqual(200);
  });
});

test("text can be stored without NUL and without lone surrogates", () => {
  expect(["", "é😀", "a\0b", "\ud800", "x\udc00"].map(isStorable)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
