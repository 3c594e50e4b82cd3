import { expect, test } from "bun:test";
import { Peers } from "../../src/feed/peers.ts";

test("an instance knows whether it is the oldest while the pings of others arrive", () => {
  let now = 1_000_000;
  const peers = new Peers("b", () => now);
  expect(peers.isLeader).toBe(true);
  peers.note("c");
  expect(peers.isLeader).toBe(true);
  peers.note("a");
  expect(peers.isLeader).toBe(false);
  now += 4_000;
  peers.note("c");
  expect(peers.isLeader).toBe(false);
  now += 1_500;
  expect(peers.isLeader).toBe(true);
});
