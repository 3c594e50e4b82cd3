import { describe, expect, test } from "bun:test";
import { recordRequest, requestInfo } from "../../src/platform/http/request-info.ts";

const PEER = "192.0.2.1";

function addressOf(trustProxy: number, forwarded?: string): string {
  const headers: HeadersInit = forwarded === undefined ? [] : [["x-forwarded-for", forwarded]];
  return recordRequest(new Request("http://localhost/", { headers }), { peer: PEER, trustProxy })
    .address;
}

describe("the caller's address", () => {
  test("is the connection's when no proxy is trusted, whatever is claimed", () => {
    expect(addressOf(0)).toBe(PEER);
    expect(addressOf(0, "203.0.113.9")).toBe(PEER);
  });

  test("is what the one trusted proxy saw, not what the caller wrote before it", () => {
    expect(addressOf(1, "203.0.113.9")).toBe("203.0.113.9");
    expect(addressOf(1, "10.0.0.1, 1.2.3.4,203.0.113.9")).toBe("203.0.113.9");
  });

  test("is what the outer of two trusted proxies saw", () => {
    expect(addressOf(2, "203.0.113.9, 198.51.100.7")).toBe("203.0.113.9");
    expect(addressOf(2, "1.2.3.4, 203.0.113.9, 198.51.100.7")).toBe("203.0.113.9");
  });

  test("is the first known one when the caller bypassed a proxy", () => {
    expect(addressOf(1)).toBe(PEER);
    expect(addressOf(2, "203.0.113.9")).toBe("203.0.113.9");
  });
});

describe("the request's id", () => {
  const idOf = (id?: string) => {
    const headers: HeadersInit = id === undefined ? [] : [["x-request-id", id]];
    return recordRequest(new Request("http://localhost/", { headers }), {
      peer: PEER,
      trustProxy: 0,
    }).id;
  };

  test.each(["a", "Trace_1-b", "x".repeat(64)])("is the caller's own: %s", (id) => {
    expect(idOf(id)).toBe(id);
  });

  test.each([undefined, "", "a b", "x".repeat(65), "a\tb", "ü", '"quoted"'])(
    "is ours in place of %p",
    (given) => {
      expect(idOf(given)).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(idOf(given)).not.toBe(idOf(given));
    },
  );

  test("is available while the request is handled", () => {
    const request = new Request("http://localhost/", { headers: { "x-request-id": "mine" } });
    recordRequest(request, { peer: PEER, trustProxy: 0 });
    expect(requestInfo(request)).toMatchObject({ id: "mine", address: PEER, route: null });
  });
});
