import { expect, test } from "bun:test";
import {
  addJoins,
  AT_START,
  joinsWithin,
  placeJoins,
  toRun,
} from "../../public/app/state/model/joins.ts";

const lines = (...seqs: number[]) => seqs.map((seq) => ({ id: `m${seq}`, seq }));
const runs = (...seqs: number[]) =>
  addJoins(
    [],
    seqs.map((seq) => toRun(seq, `u${seq}`)),
  );

test("people who join between two messages are one run, with the first three of them", () => {
  const placed = placeJoins(lines(3, 8, 20), runs(2, 4, 5, 6, 7, 21));
  expect([...placed]).toEqual([
    [AT_START, { from: 2, to: 2, count: 1, userIds: ["u2"] }],
    ["m3", { from: 4, to: 7, count: 4, userIds: ["u4", "u5", "u6"] }],
    ["m20", { from: 21, to: 21, count: 1, userIds: ["u21"] }],
  ]);
});

test("what arrives one by one is placed as what is loaded at once", () => {
  const loaded = [{ from: 4, to: 7, count: 4, userIds: ["u4", "u5", "u6"] }];
  expect(placeJoins(lines(3), runs(4, 5, 6, 7))).toEqual(placeJoins(lines(3), loaded));
});

test("a run that is loaded again replaces what it includes", () => {
  const loaded = { from: 4, to: 7, count: 4, userIds: ["u4", "u5", "u6"] };
  expect(addJoins(runs(2, 4, 6, 9), [loaded])).toEqual([toRun(2, "u2"), loaded, toRun(9, "u9")]);
});

test("the message between two runs may be deleted", () => {
  const placed = placeJoins(lines(3), runs(4, 6));
  expect([...placed.values()]).toEqual([{ from: 4, to: 6, count: 2, userIds: ["u4", "u6"] }]);
});

test("a piece of the history has the runs inside of it", () => {
  expect(joinsWithin(runs(2, 4, 9), 3, 8)).toEqual(runs(4));
});
