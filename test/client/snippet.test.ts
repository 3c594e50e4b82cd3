import { expect, test } from "bun:test";
import { readFound, type Found } from "../../public/app/search/snippet.tsx";
import { findMatches } from "../../src/wire/search-match.ts";
import { parseQuery } from "../../src/wire/search.ts";

const termsOf = (query: string) =>
  parseQuery(query).parts.flatMap((part) => (part.kind === "text" ? [part.term] : []));
const find = (content: string, query: string) =>
  readFound(content, findMatches(content, termsOf(query)), termsOf(query));
const marked = ({ text, matches }: Found) => matches.map(([start, end]) => text.slice(start, end));

test("a found message is shown as it reads", () => {
  const { shown, address } = find(
    "See [the **plan**](https://a.example/x) of `main`\n\n- one",
    "plan",
  );
  expect(shown.text).toBe("See the plan of main one");
  expect(marked(shown)).toEqual(["plan"]);
  expect(address.text).toBe("");
});

test("the address of a link is shown if only that was found", () => {
  const { shown, address } = find("- See [the plan](https://a.example/roadmap)", "roadmap");
  expect(shown.text).toBe("See the plan");
  expect(shown.matches).toEqual([]);
  expect(address.text).toBe("https://a.example/roadmap");
  expect(marked(address)).toEqual(["roadmap"]);
});

test("a long message is read around what was found in its text", () => {
  const long = `[start](https://a.example/quokka)\n${"A line of **words**.\n".repeat(300)}`;
  const { shown } = find(`${long}\`\`\`ts\n${"f(a * b * c);\n".repeat(60)}quokka`, "quokka");
  expect(marked(shown)).toEqual(["quokka"]);
  expect(shown.text).toStartWith("… f(a * b * c);");
  expect(shown.text.length).toBeLessThan(1_000);
});
