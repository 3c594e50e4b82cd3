import { expect, test } from "bun:test";
import {
  addRecentSearch,
  recentSearches,
  readInput,
  takeChips,
  toRequest,
  withoutOpenFilter,
  writeInput,
} from "../../public/app/state/search/search-query.ts";

const typed = (text: string) => takeChips({ chips: [], text });

test("a filter becomes a chip when something follows it", () => {
  expect(typed("from:ada")).toEqual({ chips: [], text: "from:ada" });
  expect(typed("from:ada ")).toEqual({ chips: ["from:ada"], text: "" });
  expect(typed("deploy from:ada -in:general now")).toEqual({
    chips: ["from:ada", "-in:general"],
    text: "deploy now",
  });
  // No such filter, and no such date.
  expect(typed("has:odd on:tomorrow https://a ").chips).toEqual([]);
});

test("the field and the address say the same", () => {
  for (const query of ['from:ada "out of memory" -x', "上海", "in:general", ""]) {
    const words = (text: string) => text.split(" ").toSorted().join(" ");
    expect(words(writeInput(readInput(query)))).toBe(words(query));
  }
  expect(readInput("")).toEqual({ chips: [], text: "" });
  expect(readInput("deploy in:general")).toEqual({ chips: ["in:general"], text: "deploy " });
});

test("a name that is being written is not searched for yet", () => {
  expect(writeInput(withoutOpenFilter({ chips: ["has:file"], text: "plan from:gr" }))).toBe(
    "has:file plan",
  );
});

test("a filter is searched for once its value is whole or something follows it", () => {
  const search = (text: string) => writeInput(withoutOpenFilter({ chips: [], text }));
  expect(["plan has:", "plan has:fi", "plan -is:sav", "plan on:2026-0"].map(search)).toEqual(
    Array(4).fill("plan"),
  );
  for (const whole of ["has:file", "on:2026-03", "has:fi and", "has:fi "])
    expect(search(whole)).toBe(whole.trim());
});

test("dates are sent as instants of the reader's own days", () => {
  const at = (month: number, day: number) => new Date(2026, month, day).toISOString();
  expect(toRequest("deploy on:2026-03-29")).toEqual({
    q: "deploy",
    after: at(2, 29),
    before: at(2, 30),
  });
  expect(toRequest("after:2026-02 before:2026-05-01 after:2026-03-01")).toEqual({
    q: undefined,
    after: at(2, 2),
    before: at(4, 1),
  });
  expect(toRequest("from:ada")).toEqual({ q: "from:ada", after: undefined, before: undefined });
});

test("the last ten searches of each person are kept", () => {
  const storage = new Map<string, string>();
  const kept = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  for (let i = 0; i < 12; i += 1) addRecentSearch(kept, "ada", `search ${i}`);
  addRecentSearch(kept, "ada", "search 5");
  addRecentSearch(kept, "ada", "");
  expect(recentSearches(kept, "ada")).toHaveLength(10);
  expect(recentSearches(kept, "ada").slice(0, 2)).toEqual(["search 5", "search 11"]);
  expect(recentSearches(kept, "grace")).toEqual([]);
});
