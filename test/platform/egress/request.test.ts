import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { gzipSync, brotliCompressSync } from "node:zlib";
import { createEgress, type EgressOptions } from "../../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../../src/platform/egress/rules.ts";
import { Web } from "../../support/web.ts";

const MiB = 1024 * 1024;
const LIMITS = { maxBytes: MiB, timeoutMs: 10_000 };

let web: Web;
let elsewhere: Web;
beforeAll(async () => {
  web = await Web.open();
  elsewhere = await Web.open();
});
afterAll(() => Promise.all([web.close(), elsewhere.close()]));
beforeEach(() => {
  web.asked.length = 0;
  elsewhere.asked.length = 0;
});

const allow = () => parseEgressAllow(`127.0.0.1:${web.port}, 127.0.0.1:${elsewhere.port}`);
const get = (url: string, options: Partial<EgressOptions> = {}) =>
  createEgress({ allow: allow() }).request(url, { ...LIMITS, ...options });

async function textOf(answer: { body: AsyncIterable<Buffer> }): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe("a request", () => {
  test("sends method, headers and body, and reads status, headers and body", async () => {
    web.page("/echo", async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      response.writeHead(202, { "x-answer": "yes" });
      response.end(`${request.method} ${request.headers["x-asked"]} ${Buffer.concat(pieces)}`);
    });
    const answer = await get(web.at("/echo"), {
      method: "POST",
      headers: { "x-asked": "please" },
      body: "grüße",
    });
    expect(answer).toMatchObject({ status: 202, headers: { "x-answer": "yes" } });
    expect(await textOf(answer)).toBe("POST please grüße");
  });

  test("names the host, whatever the caller says of it", async () => {
    web.put("/host", "x");
    (await get(web.at("/host"), { headers: { host: "other.example" } })).close();
    expect(web.headers.get("/host")?.host).toBe(`127.0.0.1:${web.port}`);
  });

  test("goes to the address that was checked, though the name has another a moment later", async () => {
    web.put("/rebound", "outside");
    let times = 0;
    const resolve = async () => [times++ === 0 ? "127.0.0.1" : "127.0.0.2"];
    const egress = createEgress({ allow: allow(), resolve });
    const answer = await egress.request(web.at("/rebound", "name.example"), LIMITS);
    expect(await textOf(answer)).toBe("outside");
    expect(web.headers.get("/rebound")?.host).toBe(`name.example:${web.port}`);
    expect(times).toBe(1);
  });

  test("takes the next address where nobody listens at the first", async () => {
    web.put("/next", "found");
    const both = parseEgressAllow(`127.0.0.1:${web.port}, 127.0.0.9:${web.port}`);
    const resolve = async () => ["127.0.0.9", "127.0.0.1"];
    const egress = createEgress({ allow: both, resolve });
    expect(await textOf(await egress.request(web.at("/next", "name.example"), LIMITS))).toBe(
      "found",
    );
  });

  test("to a closed port is unreachable", async () => {
    const egress = createEgress({ allow: parseEgressAllow("127.0.0.1") });
    const answer = egress.request("http://127.0.0.1:1/", LIMITS);
    await expect(answer).rejects.toMatchObject({ reason: "unreachable" });
  });

  test("that is not answered in HTTP is a bad response", async () => {
    using server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("220 mail.example ready\r\n") },
    });
    const egress = createEgress({ allow: parseEgressAllow("127.0.0.1") });
    const answer = egress.request(`http://127.0.0.1:${server.port}/`, LIMITS);
    await expect(answer).rejects.toMatchObject({ reason: "bad_answer" });
  });
});

describe("the body", () => {
  test.each([
    ["gzip", gzipSync("packed")],
    ["x-gzip", gzipSync("packed")],
    ["br", brotliCompressSync("packed")],
    ["identity", Buffer.from("packed")],
    ["none", Buffer.from("packed")],
    ["UTF-8", Buffer.from("packed")],
    ["compress", Buffer.from("packed")],
    ["gzip, identity", gzipSync("packed")],
    ["br, GZIP", gzipSync(brotliCompressSync("packed"))],
    ["gzip", Buffer.concat([gzipSync("packed"), Buffer.from("behind its end")])],
    ["br", Buffer.concat([brotliCompressSync("packed"), Buffer.from("behind its end")])],
  ])("is unpacked: %s", async (encoding, bytes) => {
    web.put("/packed", bytes, { "content-encoding": encoding });
    expect(await textOf(await get(web.at("/packed")))).toBe("packed");
  });

  test("is read up to the limit, and refused above it", async () => {
    web.put("/mib", Buffer.alloc(MiB));
    expect((await textOf(await get(web.at("/mib")))).length).toBe(MiB);
    const cut = await get(web.at("/mib"), { maxBytes: MiB - 1 });
    await expect(textOf(cut)).rejects.toMatchObject({ reason: "too_large" });
  });

  test("returns the allowed part before it is too large", async () => {
    web.put("/mib", Buffer.alloc(MiB));
    const answer = await get(web.at("/mib"), { maxBytes: 100 });
    let size = 0;
    const read = async () => {
      for await (const piece of answer.body) size += piece.length;
    };
    await expect(read()).rejects.toMatchObject({ reason: "too_large" });
    expect(size).toBe(100);
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(300 * MiB))],
    ["br", brotliCompressSync(Buffer.alloc(30 * MiB))],
  ])("that is a bomb is too large, and takes no memory: %s", async (encoding, bytes) => {
    web.put("/bomb", bytes, { "content-encoding": encoding });
    const before = process.memoryUsage().rss;
    const answer = await get(web.at("/bomb"));
    await expect(textOf(answer)).rejects.toMatchObject({ reason: "too_large" });
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * MiB);
  });

  test("without an end is cut off, and the connection is closed", async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    web.page("/endless", (_, response) => {
      const piece = Buffer.alloc(64 * 1024);
      const fill = () => {
        while (response.write(piece)) {}
      };
      response.on("drain", fill).on("close", () => {
        response.off("drain", fill);
        resolve();
      });
      fill();
    });
    const answer = await get(web.at("/endless"));
    await expect(textOf(answer)).rejects.toMatchObject({ reason: "too_large" });
    await heard;
  });

  test("that is not read to its end closes the connection", async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    web.page("/open", (_, response) => {
      response.on("close", () => resolve());
      response.write("x".repeat(2_000));
    });
    for await (const _ of (await get(web.at("/open"))).body) break;
    await heard;
  });

  test("that arrives too slowly times out", async () => {
    web.page("/slow", (_, response) => void response.write("x"));
    const answer = await get(web.at("/slow"), { timeoutMs: 200 });
    await expect(textOf(answer)).rejects.toMatchObject({ reason: "timeout" });
  });

  test("that ends early is unreachable", async () => {
    web.page("/broken", (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x", () => response.destroy());
    });
    const read = async () => textOf(await get(web.at("/broken")));
    await expect(read()).rejects.toMatchObject({ reason: "unreachable" });
  });

  test.each([
    ["is not what it says", "gzip", Buffer.from("not gzip at all")],
    ["breaks off", "gzip", gzipSync("x".repeat(1_000)).subarray(0, 15)],
    ["is packed three times", "gzip, gzip, gzip", gzipSync(gzipSync(gzipSync("x")))],
  ])("that %s is a bad answer", async (_, encoding, bytes) => {
    web.put("/bad", bytes, { "content-encoding": encoding });
    const answer = await get(web.at("/bad"));
    await expect(textOf(answer)).rejects.toMatchObject({ reason: "bad_answer" });
  });
});

describe("time", () => {
  test("counts until the head has come", async () => {
    web.page("/silent", () => {});
    const answer = get(web.at("/silent"), { timeoutMs: 200 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout" });
  });

  test("counts for a name that is not answered", async () => {
    const egress = createEgress({ allow: [], resolve: () => new Promise(() => {}) });
    const answer = egress.request("http://slow.example/", { ...LIMITS, timeoutMs: 100 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout" });
  });

  test("counts for all redirects together", async () => {
    web.page("/late", (_, response) => {
      setTimeout(() => response.writeHead(302, { location: "/late" }).end(), 60);
    });
    const answer = get(web.at("/late"), { timeoutMs: 200, redirects: 100 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout" });
  });

  test("ends with the caller's own reason when the caller stops it", async () => {
    web.page("/stopped", () => {});
    const stop = new AbortController();
    const answer = get(web.at("/stopped"), { signal: stop.signal });
    await web.untilAsked("/stopped");
    stop.abort(new Error("no longer wanted"));
    await expect(answer).rejects.toThrow("no longer wanted");
  });
});

describe("a redirect", () => {
  test("is an answer unless it is to be followed", async () => {
    web.redirect("/away", "/there", 307);
    const answer = await get(web.at("/away"));
    expect(answer).toMatchObject({ status: 307, headers: { location: "/there" } });
    answer.close();
    expect(web.asked).toEqual(["GET /away"]);
  });

  test("is followed to the last address", async () => {
    web.redirect("/a/1", "2?x=1", 301);
    web.redirect("/a/2", elsewhere.at("/done"));
    elsewhere.put("/done", "arrived");
    const answer = await get(web.at("/a/1"), { redirects: 2 });
    expect(answer.url.href).toBe(elsewhere.at("/done"));
    expect(await textOf(answer)).toBe("arrived");
    expect(web.asked).toEqual(["GET /a/1", "GET /a/2?x=1"]);
  });

  test("to an internationalized address is followed", async () => {
    web.redirect("/world", Buffer.from("/gr\u00fc\u00dfe").toString("latin1"));
    web.put("/gr%C3%BC%C3%9Fe", "hello");
    expect(await textOf(await get(web.at("/world"), { redirects: 1 }))).toBe("hello");
  });

  test("is followed five times at most", async () => {
    for (let n = 1; n <= 6; n += 1) web.redirect(`/hop${n}`, `/hop${n - 1}`);
    web.put("/hop0", "arrived");
    expect(await textOf(await get(web.at("/hop5"), { redirects: 5 }))).toBe("arrived");
    web.asked.length = 0;
    const six = get(web.at("/hop6"), { redirects: 5 });
    await expect(six).rejects.toMatchObject({ reason: "too_many_redirects" });
    expect(web.count("/hop0")).toBe(0);
  });

  test.each([
    ["a private address", "http://10.0.0.1/", "not_public"],
    ["another port of an allowed address", "http://127.0.0.1:1/", "not_public"],
    ["a name that leads inside", "http://localhost:1/", "not_public"],
    ["another scheme", "file:///etc/passwd", "bad_url"],
    ["an address with a password", "http://a:b@1.1.1.1/", "bad_url"],
    ["no address", "http://", "bad_answer"],
  ])("to %s is not followed", async (_, to, reason) => {
    web.redirect("/trap", to);
    const answer = get(web.at("/trap"), { redirects: 5 });
    await expect(answer).rejects.toMatchObject({ reason });
  });

  test("to a name is checked again, though the name was allowed before", async () => {
    web.redirect("/first", "/second");
    web.put("/second", "inside");
    let times = 0;
    const resolve = async () => [times++ === 0 ? "127.0.0.1" : "127.0.0.2"];
    const egress = createEgress({ allow: allow(), resolve });
    const url = web.at("/first", "name.example");
    const answer = egress.request(url, { ...LIMITS, redirects: 5 });
    await expect(answer).rejects.toMatchObject({ reason: "not_public" });
    expect(web.asked).toEqual(["GET /first"]);
  });

  test("sends credentials to the same origin only", async () => {
    web.redirect("/key", "/key2");
    web.redirect("/key2", elsewhere.at("/key3"));
    elsewhere.put("/key3", "x");
    const headers = { authorization: "Bearer x", cookie: "a=b", "x-plain": "y" };
    (await get(web.at("/key"), { redirects: 5, headers })).close();
    expect(web.headers.get("/key2")).toMatchObject(headers);
    const last = elsewhere.headers.get("/key3") ?? {};
    expect([last.authorization, last.cookie, last["x-plain"]]).toEqual([undefined, undefined, "y"]);
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [307, "POST", "POST", "text"],
    [308, "PUT", "PUT", "text"],
  ])("with %d turns %s into %s", async (status, method, then, body) => {
    web.redirect("/post", "/posted", status);
    web.page("/posted", (request, response) => void request.pipe(response));
    const answer = await get(web.at("/post"), { redirects: 1, method, body: "text" });
    expect(await textOf(answer)).toBe(body);
    expect(web.asked.at(-1)).toBe(`${then} /posted`);
  });
});
