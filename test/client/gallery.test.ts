import { expect, test } from "bun:test";
import { splitGalleries } from "../../public/app/state/timeline/timeline-rows.ts";
import type { Image } from "../../src/wire/models.ts";

/** `a` to `z` are groups; in upper case with a text, after a dot with a head, `-` without a picture. */
function split(rows: string): string[] {
  const runs = splitGalleries(
    rows.split(" "),
    (row) => {
      const letter = row.replace(".", "");
      const isText = letter === letter.toUpperCase() ? "text" : null;
      const image = letter === "-" ? null : ({} as Image);
      const group_id = letter === "-" ? null : letter.toLowerCase();
      return { content: isText, image, file: null, group_id, author_id: "ada" };
    },
    (row) => row.startsWith("."),
  );
  return runs.map((run) => run.join(""));
}

test("pictures of one group that follow each other are one run; only the first may have a text", () => {
  expect(split("a a a b b - - c")).toEqual(["aaa", "bb", "-", "-", "c"]);
  expect(split("A a a A a")).toEqual(["Aaa", "Aa"]);
  expect(split("a .a a")).toEqual(["a", ".aa"]);
  expect(split("a - a")).toEqual(["a", "-", "a"]);
});
