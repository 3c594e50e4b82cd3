import { describe, expect, test } from "bun:test";
import {
  coarseNetwork,
  isInNetwork,
  isLocalHost,
  isPublic,
  limitedNetwork,
} from "../../src/platform/networks.ts";

describe("an address of the public internet", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
    "3ffe::1",
  ])("is %s", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("no address of the public internet", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.255.255.255"],
    ["private", "10.0.0.0"],
    ["private", "10.255.255.255"],
    ["carriers' NAT", "100.64.0.0"],
    ["carriers' NAT", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.255"],
    ["link-local", "169.254.0.1"],
    ["a cloud's metadata", "169.254.169.254"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["protocol assignments", "192.0.0.1"],
    ["protocol assignments", "192.0.0.170"],
    ["documentation", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["private", "192.168.0.1"],
    ["benchmarks", "198.18.0.1"],
    ["benchmarks", "198.19.255.255"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-compatible", "::7f00:1"],
    ["IPv4-compatible, public", "::8.8.8.8"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped", "::ffff:7f00:1"],
    ["IPv4-mapped, public", "::ffff:8.8.8.8"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64", "64:ff9b::127.0.0.1"],
    ["local NAT64", "64:ff9b:1::7f00:1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["benchmarks", "2001:2::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["6to4 of a private address", "2002:c0a8:1::1"],
    ["documentation", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456:789a::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["not given out", "4000::1"],
    ["no address", "example.org"],
    ["no address", ""],
  ])("is %s: %s", (_, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

test.each([
  ["192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
  ["::ffff:192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
  ["::ffff:c000:24d", "192.0.2.0/24", "192.0.2.77/32"],
  ["2001:db8:a:b:c:d:e:f", "2001:db8:a::/48", "2001:db8:a:b::/64"],
  ["2001:DB8::1", "2001:db8::/48", "2001:db8::/64"],
  ["fe80::1%eth0", "fe80::/48", "fe80::/64"],
  ["192.0.2", null, "192.0.2"],
  ["unknown", null, "unknown"],
])("the network of %s is shown as %s, and limits count %s", (address, shown, counted) => {
  expect([coarseNetwork(address), limitedNetwork(address)]).toEqual([shown, counted]);
});

test.each([
  ["10.1.2.3", "10.0.0.0", 8, true],
  ["11.1.2.3", "10.0.0.0", 8, false],
  ["10.0.0.1", "10.0.0.1", null, true],
  ["10.0.0.2", "10.0.0.1", null, false],
  ["fd00::1", "fd00::", 8, true],
  ["fd00::1", "fd00::2", null, false],
  ["10.0.0.1", "::", 0, false],
  ["fd00::1", "0.0.0.0", 0, false],
  ["fe80::1%eth0", "fe80::", 10, true],
])("%s is in %s with prefix %p: %p", (address, network, prefix, expected) => {
  expect(isInNetwork(address, network, prefix)).toBe(expected);
});

test("the host of a URL is this machine by its name or a loopback address", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    expect([host, isLocalHost(host)]).toEqual([host, true]);
  }
  for (const host of ["", "localhost.example", "127.0.0.1.example", "10.0.0.1", "[::2]"]) {
    expect([host, isLocalHost(host)]).toEqual([host, false]);
  }
});
