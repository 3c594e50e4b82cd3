import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { World } from "../support/world.ts";

let world: World;
let script: string;
beforeAll(async () => {
  world = await World.start();
  const page = (await world.anonymous.get("/")).body as string;
  script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "no script in the page";
});
afterAll(() => world.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.service.address + path, { headers, decompress: false });

describe("the page", () => {
  test.each(["/rooms/general", "/signup", "/profile/password", "/index.html", "/a/b/c?d=e.f"])(
    "answers the address %s, which is the client's own",
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toStartWith("text/html");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).toBe((await world.anonymous.get("/")).body);
    },
  );

  test("needs no sign-in and tells nothing about it", async () => {
    const ada = await world.person("ada");
    expect((await ada.get("/")).body).toBe((await world.anonymous.get("/")).body);
    expect((await ada.get("/")).headers.get("set-cookie")).toBeNull();
  });

  test("preloads the sign-in where there is no session", async () => {
    const link = (await get("/rooms/general")).headers.get("link") ?? "";
    const targets = [...link.matchAll(/<([^>]+)>; rel=(\w+)/g)].map(([, path = "", rel]) => [
      path,
      rel,
    ]);
    expect(targets).toContainEqual(["/api/auth/methods", "preload"]);
    const modules = targets.filter(([, rel]) => rel === "modulepreload");
    expect(modules.length).toBeGreaterThanOrEqual(3);
    const bodies = await Promise.all(
      modules.map(async ([path = ""]) => {
        const answer = await get(path);
        expect(answer.status).toBe(200);
        return answer.text();
      }),
    );
    // A field of the sign-in.
    expect(bodies.join()).toContain("current-password");
    const carol = await world.person("carol");
    expect((await get("/", { cookie: carol.cookie ?? "" })).headers.get("link")).toBeNull();
    expect((await get(script)).headers.get("link")).toBeNull();
  });

  test("is kept by its tag, strong or weakened by a proxy", async () => {
    const etag = (await get("/")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const etagList of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await get("/rooms/general", { "if-none-match": etagList });
      expect([answer.status, await answer.text()]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
    }
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("an asset", () => {
  test("whose name carries its hash may be kept for ever", async () => {
    const answer = await get(script);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("javascript");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test("that does not exist is 404, and not the page", async () => {
    for (const path of [
      "/missing.js",
      "/assets/index-gone.js",
      "/favicon.xyz",
      "/../package.json",
    ]) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain("<");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("of ours is all that is served: no source, no data", async () => {
    for (const path of [
      "/src/main.ts",
      "/%2e%2e/package.json",
      "/.git/config",
      "/data/secret.key",
    ]) {
      const text = await (await get(path)).text();
      expect(text === "Not found\n" || text.includes("<title>")).toBe(true);
    }
  });

  test("is sent as small as the caller can read", async () => {
    const plain = await (await get(script, { "accept-encoding": "identity" })).bytes();
    const sent = async (accept: string) => {
      const answer = await get(script, { "accept-encoding": accept });
      expect(answer.headers.get("vary")).toBe("accept-encoding");
      return { encoding: answer.headers.get("content-encoding"), body: await answer.bytes() };
    };
    const br = await sent("gzip, deflate, br");
    expect(br.encoding).toBe("br");
    const { brotliDecompressSync } = await import("node:zlib");
    expect(brotliDecompressSync(br.body).equals(plain)).toBe(true);
    for (const accept of ["gzip", "gzip, br;q=0", "GZIP"]) {
      const gzip = await sent(accept);
      expect(gzip.encoding).toBe("gzip");
      expect(Buffer.from(Bun.gunzipSync(gzip.body as Uint8Array<ArrayBuffer>)).equals(plain)).toBe(
        true,
      );
      expect(gzip.body.length).toBeLessThan(plain.length);
    }
    for (const accept of ["identity", "br;q=0, gzip;q=0.0", "deflate"]) {
      expect((await sent(accept)).encoding).toBeNull();
    }
  });
});
