import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MAX_JSON_BYTES } from "../../src/wire/limits.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

/** One answer of every kind: the API's, the page's, and each way to say no. */
const ALL_KINDS: [what: string, method: string, path: string, status: number][] = [
  ["an answer of the API", "GET", "/api/auth/me", 200],
  ["an empty answer", "DELETE", "/api/nothing", 404],
  ["the page", "GET", "/", 200],
  ["a missing file", "GET", "/missing.js", 404],
  ["an unknown path", "GET", "/api/nothing", 404],
  ["a wrong method", "PUT", "/api/rooms", 405],
  ["a health check", "GET", "/healthz", 200],
  ["a redirect", "GET", "/.well-known/change-password", 303],
  ["a refused handshake", "GET", "/ws/chat", 403],
];

describe("the headers of", () => {
  test.each(ALL_KINDS)("%s", async (_, method, path, status) => {
    const answer = await ada.call(method, path);
    expect(answer.status).toBe(status);
    const { headers } = answer;
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "x-request-id": expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      "cache-control": expect.stringMatching(/^no-(store|cache)$/),
    });
    expect(headers.get("server")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("an https service tell browsers to stay there", async () => {
    const secure = await World.start({ BASE_URL: "https://chat.example.org" });
    const { headers } = await secure.anonymous.get("/");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{7,}/);
    await secure.stop();
    expect((await ada.get("/")).headers.get("strict-transport-security")).toBeNull();
  });
});

describe("the request's id", () => {
  const idFor = async (id: string, path: string) =>
    (await ada.call("GET", path, undefined, { "x-request-id": id })).headers.get("x-request-id");

  test("is the caller's where it is well-formed, else one of ours", async () => {
    for (const path of ["/api/auth/me", "/", "/api/nothing"]) {
      expect(await idFor("Trace-42_b", path)).toBe("Trace-42_b");
      expect(await idFor("not an id", path)).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(await idFor("x".repeat(65), path)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    }
  });
});

describe("a body", () => {
  const login = (body: string | ReadableStream | Blob, type = "application/json") =>
    fetch(`${world.service.address}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    }));
  const SECRET = "hunter2-is-my-password";

  test("that is no JSON is 400, without a word of it", async () => {
    for (const text of [`{"password":"${SECRET}"`, SECRET, `{"a":1}${SECRET}`]) {
      const answer = await login(text);
      expect(JSON.stringify(answer.body)).not.toContain(SECRET);
      expectProblem(answer, 400, "bad_request");
    }
  });

  test("that is no UTF-8 is 400", async () => {
    expectProblem(await login(new Blob([new Uint8Array([0x22, 0xff, 0x22])])), 400, "bad_request");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "of the type %s is 415",
    async (type) => {
      expectProblem(await login("{}", type), 415, "unsupported_media_type");
    },
  );

  test("of JSON's type with a charset is read", async () => {
    const text = JSON.stringify({ username: "nobody", password: SECRET });
    const answer = await login(text, "Application/JSON; charset=utf-8");
    expectProblem(answer, 401, "invalid_credentials");
  });

  test.each([MAX_JSON_BYTES + 1, 3 * 1024 * 1024])(
    "of %d bytes is 413, with the cap",
    async (size) => {
      const answer = await login(`"${"x".repeat(size - 2)}"`);
      expect(answer.body.detail).toContain(`${MAX_JSON_BYTES / 1024} KiB`);
      expectProblem(answer, 413, "too_large");
    },
  );

  test("that does not tell its size is 413 as well once it is too large", async () => {
    let left = 12;
    const stream = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(65_536).fill(0x20));
        else controller.close();
      },
    });
    expectProblem(await login(stream), 413, "too_large");
  });

  test("of just the most bytes is read", async () => {
    const start = '{"username":"nobody","password":"nothing","more":"';
    const answer = await login(`${start}${"x".repeat(MAX_JSON_BYTES - start.length - 2)}"}`);
    expectProblem(answer, 401, "invalid_credentials");
  });

  test("that does not fit is 422, names the fields, and repeats no value", async () => {
    const answer = await ada.put("/api/auth/me/password", {
      current_password: { nested: SECRET },
      new_password: SECRET.slice(0, 9),
    });
    expect(JSON.stringify(answer.body)).not.toContain(SECRET.slice(0, 9));
    const paths = answer.body.errors.map((error: { path: string }) => error.path);
    expect(paths).toContain("/current_password");
    expect(paths).toContain("/new_password");
    for (const error of answer.body.errors) {
      expect(error).toEqual({ path: expect.any(String), message: expect.any(String) });
    }
    expectProblem(answer, 422, "validation");
  });

  test.each(["null", "[]", '"text"', "7", ""])(
    "of %p in place of an object is 422",
    async (text) => {
      expectProblem(await login(text), 422, "validation");
    },
  );

  test("that holds __proto__ changes nothing", async () => {
    const answer = await ada.call("PATCH", "/api/auth/me", '{"__proto__":{"theme":"light"}}');
    expect(answer).toMatchObject({ status: 200, body: { theme: "dark" } });
  });

  test("nested without end is refused, not fallen over", async () => {
    const deep = `${"[".repeat(100_000)}"\\u0000"${"]".repeat(100_000)}`;
    expect([400, 422]).toContain((await login(deep)).status);
  });
});
