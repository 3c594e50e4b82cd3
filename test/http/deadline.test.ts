import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startService, type Service } from "../../src/service.ts";
import { Client, expectProblem } from "../support/client.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";
import { testConfig, World } from "../support/world.ts";

setDefaultTimeout(120_000);
/** 14 by default. */
const SECONDS = 2;
let world: World;
let proxy: StallingProxy;
let service: Service;
let ada: Client;
let room: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  room = await world.room("hall", ada);
  proxy = new StallingProxy(world.target as never);
  service = await startService(testConfig(world.settings), proxy.target, { callSeconds: SECONDS });
});
afterAll(async () => {
  proxy.cut();
  await service.stop();
  proxy.close();
  await world.stop();
});

/** More than there are connections, so that some wait for one. */
const CALLS = 60;

test("no call takes much longer than its limit while nothing comes back from the database", async () => {
  const far = new Client(service.address, ada.cookie, ada.user);
  expect((await far.get("/api/rooms")).status).toBe(200);
  proxy.stallForGood();
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: CALLS }, async (_, i) => {
      const answer = await [
        () => far.get("/api/rooms"),
        () => far.get(`/api/rooms/${room}/messages`),
        () => far.post(`/api/rooms/${room}/messages`, { content: `message ${i}` }),
        () => far.post("/api/rooms", { name: `room-${i}`, privacy: "open" }),
        () => far.upload(`/api/rooms/${room}/files`, new Uint8Array(100)),
        () => far.post("/api/auth/login", { username: "ada", password: "wrong" }),
      ][i % 6]?.();
      return { answer, seconds: (performance.now() - started) / 1_000 };
    }),
  );
  for (const { answer } of answers) expectProblem(answer as never, 503, "unavailable");
  expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(SECONDS + 1);
});
