import { expect, test } from "bun:test";
import { Peers } from "../../src/feed/peers.ts";

test("an instance knows of others while their pings arrive, and whether it is the oldest", () => {
  let now = 1_000_000;
  const peers = new Peers("b", () => now);
  const state = () => [peers.areThere, peers.isOldest];
  expect(state()).toEqual([false, true]);
  peers.note("c");
  expect(state()).toEqual([true, true]);
  peers.note("a");
  expect(state()).toEqual([true, false]);
  now += 4_000;
  peers.note("c");
  expect(state()).toEqual([true, false]);
  now += 1_500;
  expect(state()).toEqual([true, true]);
  now += 4_000;
  expect(state()).toEqual([false, true]);
});
