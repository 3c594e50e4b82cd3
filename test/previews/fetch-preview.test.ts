import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { fetchPreview, type FetchedContent } from "../../src/previews/fetch-preview.ts";
import { Web } from "../support/web.ts";

let web: Web;
let cdn: Web;
beforeAll(async () => {
  web = await Web.open();
  cdn = await Web.open();
});
afterAll(() => Promise.all([web.close(), cdn.close()]));

const ever = new AbortController().signal;
const fetchFrom = (path: string, signal = ever): Promise<FetchedContent> => {
  const allow = parseEgressAllow(`127.0.0.1:${web.port}, 127.0.0.1:${cdn.port}`);
  return fetchPreview(createEgress({ allow }), web.at(path), signal);
};
const page = (head: string) => `<!doctype html><html><head>${head}</head><body>text</body></html>`;
const og = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`;
const picture = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 3, background: "#c33" } });

describe("a page", () => {
  test("is what its head says", async () => {
    web.put("/page", page(og("title", "A page") + og("site_name", "A site")));
    expect(await fetchFrom("/page")).toEqual({
      kind: "page",
      head: { title: "A page", description: null, siteName: "A site", imageUrls: [] },
      picture: null,
    });
  });

  test("is asked for as a page, by one who says who it is", async () => {
    web.put("/asked", page("<title>x</title>"));
    await fetchFrom("/asked");
    expect(web.headers.get("/asked")).toMatchObject({
      accept: expect.stringContaining("text/html"),
      "user-agent": expect.stringContaining("bot"),
    });
    expect(web.headers.get("/asked")).not.toHaveProperty("cookie");
  });

  test.each([
    ["XHTML", "application/xhtml+xml"],
    ["a page in capitals", "Text/HTML;charset=UTF-8"],
  ])("may come as %s", async (_, type) => {
    web.put("/typed", page("<title>ü</title>"), { "content-type": type });
    expect(await fetchFrom("/typed")).toMatchObject({ kind: "page", head: { title: "ü" } });
  });

  test("may come without a word of what it is", async () => {
    web.page("/untyped", (_, response) => void response.end(page("<title>x</title>")));
    expect(await fetchFrom("/untyped")).toMatchObject({ kind: "page" });
  });

  test("may come after a redirect that wants its cookie back", async () => {
    web.page("/seen", (request, response) => {
      const { cookie } = request.headers;
      if (cookie === "seen=1; deep=2") {
        response.writeHead(200, { "content-type": "text/html, text/html; charset=utf-8" });
        return void response.end(page("<title>Seen ü</title>"));
      }
      const cookies = [
        "seen=1; Path=/; HttpOnly",
        "deep=2",
        "gone=3; Max-Age=0",
        "other=4; Path=/x",
      ];
      response.writeHead(302, { location: "/seen", "set-cookie": cookies }).end();
    });
    expect(await fetchFrom("/seen")).toMatchObject({ head: { title: "Seen ü" } });
    // Never kept, and never for another site.
    web.page("/away", (_, response) => {
      const location = cdn.at("/foreign").replace("127.0.0.1", "localhost");
      response.writeHead(302, { location, "set-cookie": "secret=1; Domain=localhost" }).end();
    });
    cdn.put("/foreign", page("<title>x</title>"));
    await fetchFrom("/away");
    expect(cdn.headers.get("/foreign") ?? {}).not.toHaveProperty("cookie");
  });

  test.each<[number, string]>([
    [301, "a=1"],
    [303, "a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    [307, "a=1; Expires=Wed, 01 Jan 2070 00:00:00 GMT; SameSite=Lax; HttpOnly"],
    [308, "a=1; path=/gate; Domain=127.0.0.1; Partitioned"],
    [302, "a=1; Max-Age=soon"],
  ])("may lead over %d to itself until its cookie returns: %s", async (status, cookie) => {
    web.page("/gate", (request, response) => {
      if (request.headers.cookie === "a=1") return void response.end(page("<title>in</title>"));
      // As a name within the folder, or by its query alone.
      response.writeHead(status, { location: "?again=1", "set-cookie": cookie }).end();
    });
    expect(await fetchFrom("/gate")).toMatchObject({ head: { title: "in" } });
  });

  test("may lead over another host of its site, which sets a cookie for both", async () => {
    const allow = parseEgressAllow("127.0.0.1");
    const resolve = async () => ["127.0.0.1"];
    const fetchAt = (address: string) =>
      fetchPreview(createEgress({ allow, resolve }), address, ever);
    const seen: (string | undefined)[] = [];
    web.page("/article", ({ headers: { cookie, host } }, response) => {
      seen.push(cookie);
      if (cookie?.includes("id=1")) return void response.end(page("<title>in</title>"));
      const login = web.at(`/login?to=${host}`, "login.site.example");
      response.writeHead(302, { location: login, "set-cookie": "own=1" }).end();
    });
    web.page("/login", (request, response) => {
      const to = new URL(request.url ?? "", "http://x").searchParams.get("to");
      const cookies = [
        "id=1; Domain=.site.example",
        "wide=1; Domain=example",
        "uk=1; Domain=co.uk",
      ];
      response.writeHead(302, { location: `http://${to}/article`, "set-cookie": cookies }).end();
    });
    expect(await fetchAt(web.at("/article", "news.site.example"))).toMatchObject({
      head: { title: "in" },
    });
    expect(seen).toEqual([undefined, "own=1; id=1"]);
    // Another site gets neither.
    seen.length = 0;
    expect(await fetchAt(web.at("/article", "other.example"))).toMatchObject({ kind: "failed" });
    expect(seen.every((cookie) => cookie === undefined || cookie === "own=1")).toBe(true);
  });

  test("may have its tags behind 900 KB", async () => {
    web.put("/late", page(`<style>${"a{}".repeat(300_000)}</style>${og("title", "Late")}`));
    expect(await fetchFrom("/late")).toMatchObject({ head: { title: "Late" } });
  });

  test("shows the next picture if one cannot be shown", async () => {
    web.put("/drawing.svg", "<svg/>", { "content-type": "image/svg+xml" });
    web.put("/third.png", await picture(20).png().toBuffer(), { "content-type": "image/png" });
    const images = ["/missing.png", "/drawing.svg", "/third.png"];
    web.put("/pictures", page(og("title", "x") + images.map((url) => og("image", url)).join("")));
    expect(await fetchFrom("/pictures")).toMatchObject({ picture: expect.any(Uint8Array) });
  });

  test.each([
    ...["image/jpg", "image/pjpeg", "image/apng", "application/octet-stream", "image/jfif"],
    ...["IMAGE/JPG; charset=binary", "image/*", "image", "application/force-download"],
    ...["application/x-download", "unknown/unknown", "text/plain", "binary/octet-stream"],
  ])("may be a picture of the type %s", async (type) => {
    const bytes = await picture(20).jpeg().toBuffer();
    web.put("/picture", bytes, { "content-type": type });
    expect(await fetchFrom("/picture")).toEqual({ kind: "image" });
  });

  test("may be a picture, or a page, without a type", async () => {
    const bytes = await picture(20).png().toBuffer();
    web.page("/untyped", (_, response) => void response.end(bytes));
    expect(await fetchFrom("/untyped")).toEqual({ kind: "image" });
    web.page("/untyped", (_, response) => void response.end(page("<title>T</title>")));
    expect(await fetchFrom("/untyped")).toMatchObject({ head: { title: "T" } });
  });

  test.each<[string, (page: string) => Buffer]>([
    ["none", Buffer.from],
    ["utf-8", Buffer.from],
    ["aws-chunked", Buffer.from],
    ["GZIP", gzipSync],
    ["gzip, identity", gzipSync],
    ["identity,gzip,", gzipSync],
    ["br, none", brotliCompressSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["deflate, gzip", (text) => gzipSync(deflateSync(text))],
  ])("may be packed as %s", async (encoding, pack) => {
    const packed = pack(page(og("title", "packed")));
    web.put("/packed", packed, { "content-encoding": encoding });
    expect(await fetchFrom("/packed")).toMatchObject({ head: { title: "packed" } });
  });

  const leadOn = (content: string, more = "") =>
    `<noscript><META http-equiv=Refresh content="${content}"></noscript><title>on</title>${more}`;

  test.each(["0; url=/there", "0;URL='there'", "1, there", "0.5 ; url = /there"])(
    "that leads on is that to which it leads: %s",
    async (content) => {
      web.put("/on", leadOn(content));
      web.put("/there", page(og("title", "there")));
      expect(await fetchFrom("/on")).toMatchObject({ head: { title: "there" } });
    },
  );

  test.each([
    ["to itself", leadOn("0; url=/on")],
    ["later", leadOn("300; url=/there")],
    ["to no page", leadOn("0; url=javascript:x()")],
    ["nowhere", leadOn("0")],
    ["although it says what it is", leadOn("0; url=/there", og("description", "x"))],
  ])("is itself where it leads on %s", async (_, text) => {
    web.put("/on", text);
    web.put("/there", page(og("title", "there")));
    expect(await fetchFrom("/on")).toMatchObject({ head: { title: "on" } });
  });

  test("that leads on again and again is nothing", async () => {
    for (let n = 1; n <= 4; n += 1) web.put(`/on${n}`, leadOn(`0; url=/on${n - 1}`));
    web.put("/on0", page(og("title", "end")));
    expect(await fetchFrom("/on2")).toMatchObject({ head: { title: "end" } });
    expect(await fetchFrom("/on4")).toMatchObject({ kind: "failed" });
  });

  test("of XHTML may have elements that end with their tag", async () => {
    const text = `<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="x"/><style/><title>T</title></head></html>`;
    web.put("/xhtml", text, { "content-type": "application/xhtml+xml" });
    expect(await fetchFrom("/xhtml")).toMatchObject({ head: { title: "T" } });
  });

  test.each([
    ['<base target="_blank"><base href="/dir/">', "/dir/p.png"],
    ['<base href="data:text/html,x">', "/p.png"],
    ["<BASE HREF='dir/'>", "/dir/p.png"],
  ])("has its pictures below %s", async (base, path) => {
    web.put(path, await picture(20).png().toBuffer(), { "content-type": "image/png" });
    const before = web.count(path);
    web.put("/based", page(`${base}<title>T</title>${og("image", "p.png")}`));
    expect(await fetchFrom("/based")).toMatchObject({ picture: expect.any(Uint8Array) });
    expect(web.count(path)).toBe(before + 1);
  });

  test("is nothing where an unknown file is no picture", async () => {
    web.put("/file", "PK\u0003\u0004 and so on", { "content-type": "application/octet-stream" });
    expect(await fetchFrom("/file")).toMatchObject({ kind: "failed" });
  });

  test("is decoded by its header", async () => {
    const bytes = Buffer.from(page("<title>Gr\xfc\xdfe</title>"), "latin1");
    web.put("/latin", bytes, { "content-type": "text/html; charset=iso-8859-1" });
    expect(await fetchFrom("/latin")).toMatchObject({ head: { title: "Grüße" } });
  });

  test("of five megabytes is read to the end of its head", async () => {
    web.put("/large", page("<title>large</title>") + "x".repeat(5 * 1024 * 1024));
    expect(await fetchFrom("/large")).toMatchObject({ head: { title: "large" } });
  });

  test("of five megabytes without an end of its head is read a part of the way", async () => {
    web.put("/endless", `<title>endless</title>${" ".repeat(5 * 1024 * 1024)}`);
    expect(await fetchFrom("/endless")).toMatchObject({ head: { title: "endless" } });
    const wide = Buffer.from(`\ufeff<title>wide</title>${" ".repeat(2 * 1024 * 1024)}`, "utf16le");
    web.put("/wide", wide, { "content-type": "text/html" });
    expect(await fetchFrom("/wide")).toMatchObject({ head: { title: "wide" } });
  });

  test("is found at the end of five redirects, and its picture from there", async () => {
    for (let n = 1; n <= 6; n += 1) web.redirect(`/hop${n}`, `/hop${n - 1}`);
    web.redirect("/hop0", "/deep/page");
    web.put("/deep/page", page(`<title>deep</title>${og("image", "picture.png")}`));
    const found = await fetchFrom("/hop4");
    expect(found).toMatchObject({ head: { title: "deep" } });
    expect(web.count("/deep/picture.png")).toBe(1);
    expect(await fetchFrom("/hop5")).toMatchObject({ kind: "failed" });
  });
});

describe("a picture by itself", () => {
  test.each(["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"])(
    "is known by its type, and not read: %s",
    async (type) => {
      const { promise: cut, resolve } = Promise.withResolvers<void>();
      web.page("/picture", (_, response) => {
        response.on("close", () => resolve());
        response.writeHead(200, { "content-type": type, "content-length": "1000000" });
        response.flushHeaders();
      });
      expect(await fetchFrom("/picture")).toEqual({ kind: "image" });
      await cut;
    },
  );

  test.each(["image/svg+xml", "image/tiff", "application/pdf", "text/plain", "video/mp4"])(
    "is not %s",
    async (type) => {
      web.put("/other", "<title>no</title>", { "content-type": type });
      expect(await fetchFrom("/other")).toMatchObject({ kind: "failed" });
    },
  );
});

describe("a page's picture", () => {
  async function pictureOf(path: string, bytes: Uint8Array, headers = {}) {
    cdn.put(path, bytes, { "content-type": "image/png", ...headers });
    web.put("/with", page(`<title>with</title>${og("image", cdn.at(path))}`));
    const found = await fetchFrom("/with");
    return found.kind === "page" ? found.picture : expect.unreachable();
  }

  test("is made small", async () => {
    const found = await pictureOf("/wide.png", await picture(1_200, 630).png().toBuffer());
    const { format, width, height } = await sharp(found ?? undefined).metadata();
    expect({ format, width, height }).toEqual({ format: "webp", width: 640, height: 336 });
  });

  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)("may be %s", async (format) => {
    const found = await pictureOf("/any", await picture(20).toFormat(format).toBuffer());
    expect((await sharp(found ?? undefined).metadata()).format).toBe("webp");
  });

  test("is known by its bytes, whatever it is called", async () => {
    const bytes = await picture(20).png().toBuffer();
    expect(await pictureOf("/p", bytes, { "content-type": "text/html" })).not.toBeNull();
  });

  test("is upright, without what the camera wrote", async () => {
    const turned = picture(40, 20)
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Make: "x" } });
    const found = await pictureOf("/turned.jpg", await turned.jpeg().toBuffer());
    const { width, height, exif } = await sharp(found ?? undefined).metadata();
    expect({ width, height, exif }).toEqual({ width: 20, height: 40, exif: undefined });
  });

  test.each([
    [
      "drawn in SVG",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["cut off", async () => (await picture(500).jpeg().toBuffer()).subarray(0, 600)],
    ["no picture", () => Buffer.from("<title>x</title>")],
    ["a bomb", () => picture(9_000).png().toBuffer()],
    ["more than a megabyte", () => Buffer.alloc(1024 * 1024 + 1)],
  ])("is left out, and the page is not, where it is %s", async (_, make) => {
    expect(await pictureOf("/bad", await make())).toBeNull();
  });

  test.each([
    ["inside", "http://10.0.0.1/a.png"],
    ["at another port", "http://127.0.0.1:1/a.png"],
    ["in the page itself", "data:image/png;base64,AAAA"],
    ["on a disk", "file:///etc/passwd"],
    ["nowhere", "/missing.png"],
  ])("is left out where it is %s", async (_, address) => {
    web.put("/without", page(`<title>without</title>${og("image", address)}`));
    const found = await fetchFrom("/without");
    expect(found).toMatchObject({ kind: "page", picture: null });
  });
});

describe("a failure", () => {
  test.each([
    ["a status of an error", 404],
    ["a status of a server's error", 500],
  ])("is %s", async (_, status) => {
    web.page("/error", (_, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("<title>Error</title>");
    });
    expect(await fetchFrom("/error")).toEqual({ kind: "failed", reason: `status ${status}` });
  });

  test("is a page that says nothing", async () => {
    web.put("/nothing", page(og("site_name", "only a name")));
    expect(await fetchFrom("/nothing")).toMatchObject({ kind: "failed" });
  });

  test("is a redirect that leads inside, or around", async () => {
    web.redirect("/inside", "http://169.254.169.254/latest/meta-data/");
    web.redirect("/around", "/around");
    expect(await fetchFrom("/inside")).toMatchObject({
      reason: expect.stringContaining("not_public"),
    });
    expect(await fetchFrom("/around")).toMatchObject({
      reason: expect.stringContaining("too_many_redirects"),
    });
  });

  test("is not that it was stopped", async () => {
    web.page("/silent", () => {});
    const stop = new AbortController();
    const found = fetchFrom("/silent", stop.signal);
    await web.untilAsked("/silent");
    stop.abort(new Error("stopped"));
    await expect(found).rejects.toThrow("stopped");
  });
});
