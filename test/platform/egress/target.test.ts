import { describe, expect, test } from "bun:test";
import { createEgress } from "../../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../../src/platform/egress/rules.ts";
import { findTarget } from "../../../src/platform/egress/target.ts";

const nobody = () => Promise.reject(new Error("asked for a name"));
const names =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);
const find = (url: string, allow = "", resolve: () => Promise<string[]> = nobody) =>
  findTarget(url, parseEgressAllow(allow), resolve);

describe("a URL that leads inside, in every notation", () => {
  test.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7F.0x0.0x0.0x1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://１２７.０.０.１/",
    "http://①②⑦.0.0.1/",
    "http://127。0。0。1/",
    "http://127.0.0.1\\@public.example/",
    "http://0/",
    "http://0.0.0.0:80/",
    "http:127.0.0.1",
    "http:////127.0.0.1/",
    " http://127.0.0.1/",
    "http://127.0.\t0.1/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:0:7f00:1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
  ])("is refused: %s", async (url) => {
    await expect(find(url)).rejects.toMatchObject({ reason: "not_public" });
  });

  test.each([
    "ftp://1.1.1.1/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "gopher://1.1.1.1/",
    "http://user@1.1.1.1/",
    "http://user:password@1.1.1.1/",
    "http://:password@1.1.1.1/",
    "http://[fe80::1%25eth0]/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://",
    "//1.1.1.1/",
    "",
  ])("is no URL to call: %s", async (url) => {
    await expect(find(url)).rejects.toMatchObject({ reason: "bad_url" });
  });

  test("is refused as a name too, whatever else the name has", async () => {
    for (const inside of ["127.0.0.1", "10.1.2.3", "::1", "fe80::1%2", "::ffff:10.0.0.1"]) {
      const both = find("http://name.example/", "", names("1.1.1.1", inside));
      await expect(both).rejects.toMatchObject({ reason: "not_public" });
    }
  });
});

describe("a URL that leads outside", () => {
  test("gives all addresses of its name, or itself", async () => {
    const addresses = ["2606:4700::1111", "1.1.1.1"];
    const named = await find("https://name.example/", "", names(...addresses));
    expect(named.addresses).toEqual(["2606:4700::1111", "1.1.1.1"]);
    expect((await find("https://[2606:4700::1111]/")).addresses).toEqual(["2606:4700::1111"]);
    expect((await find("https://0x08080808/")).addresses).toEqual(["8.8.8.8"]);
  });

  test("without an address is distinguished from a refused one", async () => {
    await expect(find("http://gone.example/", "", names())).rejects.toMatchObject({
      reason: "unresolved",
    });
    await expect(find("http://gone.example/")).rejects.toMatchObject({ reason: "unresolved" });
  });
});

describe("what the operator allows", () => {
  test.each([
    ["an address", "http://10.1.2.3/", "10.1.2.3"],
    ["an address, however it is written", "http://0x0a010203/", "10.1.2.3"],
    ["a network", "http://10.1.2.3/", "10.0.0.0/8"],
    ["an address of IPv6", "http://[fd00::1]/", "fd00::1"],
    ["an address of IPv6, however it is written", "http://[FD00:0:0::1]/", "fd00::1"],
    ["a network of IPv6", "http://[fd00::1]/", "fd00::/8"],
    ["its port", "http://10.1.2.3:8080/", "10.1.2.3:8080"],
    ["the port of http", "http://10.1.2.3/", "10.1.2.3:80"],
    ["the port of https", "https://10.1.2.3/", "10.1.2.3:443"],
  ])("is %s: %s by %s", async (_, url, allow) => {
    expect((await find(url, allow)).addresses).toHaveLength(1);
  });

  test.each([
    ["a name", "http://ci.internal/", "ci.internal"],
    ["a name in capitals", "http://CI.Internal/", "ci.internal"],
    ["a name with the root's dot", "http://ci.internal./", "ci.internal"],
    ["the address of a name", "http://ci.internal/", "10.1.2.3"],
    ["the network of a name", "http://ci.internal:8080/", "10.0.0.0/8:8080"],
  ])("is %s: %s by %s", async (_, url, allow) => {
    const target = await find(url, allow, names("10.1.2.3"));
    expect(target.addresses).toEqual(["10.1.2.3"]);
  });

  test.each([
    ["another port", "http://10.1.2.3:8081/", "10.1.2.3:8080"],
    ["another scheme's port", "http://10.1.2.3/", "10.1.2.3:443"],
    ["a neighbour", "http://10.1.2.4/", "10.1.2.3"],
    ["an address within IPv6", "http://[::ffff:10.1.2.3]/", "10.1.2.3"],
    ["the address of a name", "http://10.1.2.3/", "ci.internal"],
    ["a name below", "http://a.ci.internal/", "ci.internal"],
  ])("is not %s: %s by %s", async (_, url, allow) => {
    const match = find(url, allow, names("10.1.2.3"));
    await expect(match).rejects.toMatchObject({ reason: "not_public" });
  });

  test("is the only address that is used of a name with several", async () => {
    const resolve = names("::1", "127.0.0.1", "1.1.1.1");
    const { addresses } = await find("http://localhost:8080/", "127.0.0.1:8080", resolve);
    expect(addresses).toEqual(["127.0.0.1"]);
  });
});

test("a target is resolved by the system's resolver", async () => {
  const { checkTarget } = createEgress({ allow: [] });
  await expect(checkTarget("http://localhost/hook")).rejects.toMatchObject({
    reason: "not_public",
  });
  const trusting = createEgress({ allow: parseEgressAllow("localhost:8080") });
  expect((await trusting.checkTarget("http://localhost:8080/a")).pathname).toBe("/a");
});
