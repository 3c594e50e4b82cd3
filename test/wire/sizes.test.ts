import { expect, test } from "bun:test";
import { formatSize } from "../../src/wire/files.ts";

test.each([
  [0, "0 bytes"],
  [1_023, "1023 bytes"],
  [1_024, "1 KB"],
  [1_536, "1.5 KB"],
  [8 * 1_024 ** 2, "8 MB"],
  [1_500_000, "1.43 MB"],
  [1_024 ** 3 - 1, "1023.99 MB"],
  [1_024 ** 3, "1 GB"],
  [5_000 * 1_024 ** 3, "5000 GB"],
])("%d bytes are %s", (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
