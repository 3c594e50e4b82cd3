import { describe, expect, test } from "bun:test";
import { extractReferences } from "../../src/wire/markdown/extract.ts";

describe("what a text names", () => {
  test("is each username and room once, in lower case, and the first URL", () => {
    expect(
      extractReferences(
        "@Bob and @bob, @carol: #General #general\n> http://a.b\n\n- @dave https://c.d",
      ),
    ).toEqual({
      usernames: ["bob", "carol", "dave"],
      rooms: ["general"],
      url: "http://a.b",
      broadcast: null,
    });
  });

  test.each([
    ["inline code", "`@bob @here #general http://a.b`"],
    ["fenced code", "```\n@bob @room #general http://a.b\n```"],
    ["a fence that is never closed", "~~~\n@bob #general http://a.b"],
    ["code in a quote in a list", "- > ```\n  > @bob\n  > ```\n  > `#general http://a.b`"],
    ["nothing at all", null],
    ["a plain text", "Hello there"],
    ["an address", "bob@example.org mailto:bob@example.org <mailto:bob@example.org>"],
  ])("is nothing in %s", (_, text) => {
    expect(extractReferences(text)).toEqual({
      usernames: [],
      rooms: [],
      url: null,
      broadcast: null,
    });
  });

  test("finds URLs in every form, in the order in which they stand", () => {
    expect(extractReferences("`http://no` [a](https://yes.example/x) http://b.c").url).toBe(
      "https://yes.example/x",
    );
    expect(extractReferences("<HTTPS://a.b> x").url).toBe("HTTPS://a.b");
    expect(extractReferences("[a](ftp://no.example) **http://b.c**").url).toBe("http://b.c");
  });

  test.each([
    ["@here, and @bob", "here"],
    ["> **@Room**, and @here with @bob", "room"],
    ["@bob, @here. and @rooms `@room`", "here"],
    ["@bob @hereabouts room@here.example", null],
  ] as const)("of %p it is said to %p", (text, broadcast) => {
    const { usernames, ...found } = extractReferences(text);
    expect(found.broadcast).toBe(broadcast);
    expect(usernames).toContain("bob");
    expect(usernames).not.toContain("here");
    expect(usernames).not.toContain("room");
  });

  test("finds references inside styles", () => {
    expect(extractReferences("**_@bob_ ~~#general~~**")).toMatchObject({
      usernames: ["bob"],
      rooms: ["general"],
    });
  });
});
