import { describe, expect, test } from "bun:test";
import { parseQuery } from "../../src/wire/search.ts";
import { findMatches } from "../../src/wire/search-match.ts";

/** What of a text a query marks. */
function marked(query: string, text: string): string[] {
  const terms = parseQuery(query).parts.flatMap((part) =>
    part.kind === "text" ? [part.term] : [],
  );
  return findMatches(text, terms).map(([start, end]) => text.slice(start, end));
}

describe("a phrase", () => {
  test.each([
    ["select from", "select * from t"],
    ["select from", "select ** from t"],
    ["select from", "select ` from t"],
    ["a b", "a ~ b"],
    ["a b", "a ~~ b"],
    ["a b", "a _ b"],
    ["a b", "a __ b"],
    ["count() from", "count(*) from t"],
    ["rm .ts", "rm *.ts"],
    ["a. b", "a.* b"],
    ["x * y", "x ** y"],
  ])("%j is not in %j, which has a symbol of its own", (phrase, text) => {
    expect(marked(`"${phrase}"`, text)).toEqual([]);
  });

  test.each([
    ["select * from", "select * from t", "select * from"],
    ["out of memory", "ran **out of** memory", "out of** memory"],
    ["out of memory", "ran *out* _of_ ~~memory~~", "out* _of_ ~~memory"],
    ["run bun test", "run `bun test` now", "run `bun test"],
    ["the .env file", "the `.env` file", "the `.env` file"],
    ["a (note) here", "a **(note)** here", "a **(note)** here"],
    ["is bold. next", "is **bold.** next", "is **bold.** next"],
    ["「全角」です", "**「全角」**です", "「全角」**です"],
    ["select from", "**select** from", "select** from"],
    ["__init__", "in __init__ here", "__init__"],
    ["2*3", "2*3", "2*3"],
  ])("%j is in %j", (phrase, text, match) => {
    expect(marked(`"${phrase}"`, text)).toEqual([match]);
  });
});

test("a letter with more marks than any writing has is found without the rest", () => {
  const text = `x ${"e"}${"\u0345\u0f73".repeat(3_900)} y`;
  expect(marked("y", text)).toEqual(["y"]);
  expect(marked("x", text)).toEqual(["x"]);
});
