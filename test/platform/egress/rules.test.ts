import { describe, expect, test } from "bun:test";
import { parseEgressAllow } from "../../../src/platform/egress/rules.ts";

describe("EGRESS_ALLOW", () => {
  test.each([
    ["ci.internal", { kind: "host", value: "ci.internal", prefix: null, port: null }],
    ["CI.Internal:8080", { kind: "host", value: "ci.internal", prefix: null, port: 8080 }],
    ["10.1.2.3", { kind: "address", value: "10.1.2.3", prefix: null, port: null }],
    ["10.1.2.3:443", { kind: "address", value: "10.1.2.3", prefix: null, port: 443 }],
    ["10.0.0.0/8", { kind: "cidr", value: "10.0.0.0", prefix: 8, port: null }],
    ["10.0.0.0/8:9000", { kind: "cidr", value: "10.0.0.0", prefix: 8, port: 9000 }],
    ["fd00::1", { kind: "address", value: "fd00::1", prefix: null, port: null }],
    ["[fd00::1]:443", { kind: "address", value: "fd00::1", prefix: null, port: 443 }],
    ["fd00::/8", { kind: "cidr", value: "fd00::", prefix: 8, port: null }],
    ["[fd00::/8]:443", { kind: "cidr", value: "fd00::", prefix: 8, port: 443 }],
    ["0.0.0.0/0", { kind: "cidr", value: "0.0.0.0", prefix: 0, port: null }],
  ] as const)("takes %s", (entry, rule) => {
    expect(parseEgressAllow(entry)).toEqual([rule]);
  });

  test("is a list with commas, spaces and empty entries", () => {
    expect(parseEgressAllow(" a.b , 10.0.0.1,, ").map((rule) => rule.value)).toEqual([
      "a.b",
      "10.0.0.1",
    ]);
    expect(parseEgressAllow("")).toEqual([]);
  });

  test.each([
    "https://ci.internal",
    "ci.internal:0",
    "ci.internal:65536",
    "ci.internal:http",
    "ci internal",
    "ci..internal",
    "-ci.internal",
    "10.0.0.0/33",
    "10.0.0.0/8/9",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "fd00::/129",
    "ci.internal/8",
    "*.internal",
    "[fd00::1",
    ":8080",
  ])("refuses %s and says which entry it was", (entry) => {
    expect(() => parseEgressAllow(`good.example, ${entry}`)).toThrow(`has "${entry}"`);
  });
});
