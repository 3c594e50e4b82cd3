import { describe, expect, test } from "bun:test";
import { isForeign } from "../../src/platform/http/origin.ts";

const HTTPS = "https://chat.example.org";
const HTTP = "http://localhost:3000";

function foreign(baseUrl: string, headers: Record<string, string>): boolean {
  return isForeign(new Request(`${baseUrl}/api/auth/login`, { headers }), baseUrl);
}

describe("a request over https", () => {
  test.each([
    ["without any word of the browser's", {}, false],
    ["from our own origin", { origin: HTTPS }, false],
    [
      "that the browser calls same-origin",
      { origin: HTTPS, "sec-fetch-site": "same-origin" },
      false,
    ],
    ["that the person typed", { "sec-fetch-site": "none" }, false],
    ["from another origin", { origin: "https://evil.example" }, true],
    ["from the same host over http", { origin: "http://chat.example.org" }, true],
    ["from another port", { origin: "https://chat.example.org:8443" }, true],
    ["from a host that only starts as ours", { origin: "https://chat.example.org.evil.tld" }, true],
    ["from an origin that is null", { origin: "null" }, true],
    ["from a sister site", { "sec-fetch-site": "same-site" }, true],
    ["from another site", { "sec-fetch-site": "cross-site" }, true],
    [
      "of our origin, which the browser says is foreign",
      { origin: HTTPS, "sec-fetch-site": "cross-site" },
      true,
    ],
    [
      "of a foreign origin, called same-origin",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      true,
    ],
    [
      "with an origin that is only the Host's",
      { origin: "https://10.0.0.1", host: "10.0.0.1" },
      true,
    ],
    [
      "with an http origin that is the Host's",
      { origin: "http://10.0.0.1", host: "10.0.0.1" },
      true,
    ],
  ] as [string, Record<string, string>, boolean][])("%s", (_, headers, expected) => {
    expect(foreign(HTTPS, headers)).toBe(expected);
  });
});

describe("a request over http", () => {
  test.each([
    ["from the base URL", { origin: HTTP }, false],
    [
      "from the address that the browser was pointed at",
      { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" },
      false,
    ],
    [
      "from another port of that address",
      { origin: "http://127.0.0.1:8080", host: "127.0.0.1:3000" },
      true,
    ],
    [
      "from that address over https",
      { origin: "https://127.0.0.1:3000", host: "127.0.0.1:3000" },
      true,
    ],
    ["from an origin that is null", { origin: "null", host: "127.0.0.1:3000" }, true],
  ] as [string, Record<string, string>, boolean][])("%s", (_, headers, expected) => {
    expect(foreign(HTTP, headers)).toBe(expected);
  });
});
