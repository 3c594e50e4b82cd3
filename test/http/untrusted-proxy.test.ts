import { expect, test } from "bun:test";
import { expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

test("metrics are closed to what comes through a proxy that is not trusted", async () => {
  const world = await World.start();
  const read = (headers: Record<string, string>) =>
    world.anonymous.call("GET", "/metrics", undefined, headers);
  expect((await read({})).status).toBe(200);
  for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
    expectProblem(await read({ [header]: "203.0.113.7" }), 401, "unauthenticated");
  }
  await world.stop();
});
