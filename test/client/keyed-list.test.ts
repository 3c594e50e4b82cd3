import { expect, test } from "bun:test";
import { KeyedList } from "../../public/app/state/keyed-list.ts";

const clock = { now: () => 0, after: () => () => {} };

/** A list whose answers the test gives. */
function open() {
  const answers: ((entries: [string, string][]) => void)[] = [];
  const list = new KeyedList<string>({
    clock,
    fetch: () => new Promise((resolve) => answers.push(resolve)),
  });
  const land = async (entries: [string, string][]) => {
    answers.shift()?.(entries);
    await Bun.sleep(0);
  };
  const shown = () => list.items.value && Object.fromEntries(list.items.value);
  return { list, land, shown };
}

test("what was heard since the request is on top of its answer", async () => {
  const { list, land, shown } = open();
  list.load();
  list.hear("a", "heard");
  list.hear("b", null);
  expect(shown()).toBeNull();
  await land([
    ["a", "old"],
    ["b", "old"],
    ["c", "old"],
  ]);
  expect(shown()).toEqual({ a: "heard", c: "old" });
});

test("what was heard before the request is in its answer", async () => {
  const { list, land, shown } = open();
  list.load();
  await land([]);
  list.hear("a", "before");
  list.load();
  await land([["a", "newer"]]);
  expect(shown()).toEqual({ a: "newer" });
});

test("a change is shown at once, and an event during it outranks its answer", async () => {
  const { list, land, shown } = open();
  list.load();
  await land([]);
  const call = Promise.withResolvers<string | null>();
  const changed = list.change("a", "shown", call.promise);
  expect(shown()).toEqual({ a: "shown" });
  list.hear("a", "of another device");
  call.resolve("answer");
  await changed;
  expect(shown()).toEqual({ a: "of another device" });
});

test("an answer that is older than the list that was loaded meanwhile does not stay", async () => {
  const { list, land, shown } = open();
  list.load();
  await land([]);
  const call = Promise.withResolvers<string | null>();
  const changed = list.change("a", "shown", call.promise);
  // Its message is deleted, which is only in the list.
  list.ask();
  await land([]);
  call.resolve("answer");
  await changed;
  await land([]);
  expect(shown()).toEqual({});
});

test("a change that fails is taken back, unless something was heard meanwhile", async () => {
  const { list, land, shown } = open();
  list.load();
  await land([["a", "before"]]);
  const failed = list.change("a", null, Promise.reject(new Error("refused")));
  expect(shown()).toEqual({});
  expect(await failed.catch((error: Error) => error.message)).toBe("refused");
  expect(shown()).toEqual({ a: "before" });
});
