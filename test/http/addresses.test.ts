import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
});
afterAll(() => world.stop());

/** Sends bytes as they are, which `fetch` would put in order, and gives the whole answer. */
function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(world.service.address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
  socket.on("data", (chunk) => {
    answer += chunk;
    // Each of these answers is one document of JSON or nothing.
    if (answer.includes("\r\n\r\n") && /(\}|\r\n\r\n)$/.test(answer)) socket.end();
  });
  socket.on("close", () => resolve(answer));
  socket.on("error", reject);
  return promise;
}

describe("an unknown path", () => {
  test.each(["/api", "/api/", "/api/nothing", "/api/rooms/x/y/z", "/hooks", "/ws", "/healthz/x"])(
    "%s is 404, signed in or not, whatever the method",
    async (path) => {
      for (const client of [ada, world.anonymous]) {
        for (const method of ["GET", "POST", "DELETE"]) {
          expectProblem(await client.call(method, path), 404, "not_found");
        }
      }
    },
  );

  test.each(["x", "%ff", "%E0%A4%A", "%2e%2e", Bun.randomUUIDv7().toUpperCase(), "0".repeat(300)])(
    "with an invalid id is 404: %s",
    async (id) => {
      expect((await ada.get(`/api/rooms/${id}`)).status).toBe(404);
      expect((await ada.get(`/api/messages/${id}`)).status).toBe(404);
    },
  );
});

describe("a wrong method", () => {
  test.each([
    ["PUT", "/api/rooms", "GET, HEAD, POST"],
    ["PUT", "/api/rooms/", "GET, HEAD, POST"],
    ["GET", "/api/auth/login", "POST"],
    ["DELETE", "/api/auth/me", "GET, HEAD, PATCH"],
    ["POST", `/api/rooms/${Bun.randomUUIDv7()}`, "DELETE, GET, HEAD, PATCH"],
    ["OPTIONS", "/api/rooms", "GET, HEAD, POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
    ["DELETE", "/rooms/general", "GET, HEAD"],
  ])("%s %s is 405 and says which are right", async (method, path, allow) => {
    for (const client of [ada, world.anonymous]) {
      const answer = await client.call(method, path);
      expect(answer.headers.get("allow")).toBe(allow);
      expectProblem(answer, 405, "method_not_allowed");
    }
  });
});

describe("HEAD", () => {
  test.each(["/api/auth/me", "/healthz", "/readyz", "/", "/missing.js", "/api/nothing"])(
    "%s answers as GET does, without a body",
    async (path) => {
      const [head, get] = [await ada.call("HEAD", path), await ada.get(path)];
      expect(head.status).toBe(get.status);
      expect(head.body).toBe("");
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    },
  );

  test("is closed where GET is", async () => {
    expect((await world.anonymous.call("HEAD", "/api/auth/me")).status).toBe(401);
  });
});

describe("a request as no browser makes it", () => {
  const CLOSE = "Connection: close\r\n\r\n";

  test.each(["", "Host: \r\n", "Host: a\r\n", "Host: a:1\r\n"])(
    "with a Host of less than four characters is 400: %p",
    async (host) => {
      const cookie = `Cookie: ${ada.cookie}\r\n`;
      const answer = await raw(`GET /api/auth/me HTTP/1.1\r\n${host}${cookie}${CLOSE}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).not.toContain("ada@example.org");
    },
  );

  test("finds the same route whatever the Host", async () => {
    for (const host of ["abcd", "a.example.org:8080", "[::1]:3000", "x".repeat(200)]) {
      const answer = await raw(`GET /api/auth/me HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}`);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  test("with NUL in its address is 422", async () => {
    const answer = await raw(`GET /api/users?query=a%00b HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`);
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
  });
});

test("the well-known address for changing a password leads to the profile", async () => {
  const answer = await world.anonymous.get("/.well-known/change-password");
  expect(answer.status).toBe(303);
  const location = answer.headers.get("location") ?? "";
  expect((await world.anonymous.get(location)).headers.get("content-type")).toContain("text/html");
});

test("a body has one length, and is no longer than it says", async () => {
  const post = (lengths: string, body: string) =>
    raw(
      `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lengths}\r\n\r\n${body}`,
    );
  const chunks = "10\r\n{}              \r\n0\r\n\r\n";
  const twoLengths = "Content-Length: 2\r\nTransfer-Encoding: chunked";
  expect(await post(twoLengths, chunks)).toStartWith("HTTP/1.1 400 ");
  expect(await post("Transfer-Encoding: chunked", chunks)).toStartWith("HTTP/1.1 422 ");
  expect(await post("Content-Length: 2", '{}, "is": "more"')).toStartWith("HTTP/1.1 422 ");
});
