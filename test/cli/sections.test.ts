import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { World } from "../support/world.ts";

let world: World;
let env: { DATABASE_URL: string };
const file = join(tmpdir(), `snug-cli-sections-${process.pid}.txt`);
beforeAll(async () => {
  world = await World.start();
  env = { DATABASE_URL: urlOf(world.target) };
});
afterAll(async () => {
  await world.stop();
  await rm(file, { force: true });
});

const show = async () => (await runCli(["sections", "show"], env)).out;
async function set(text: string) {
  await Bun.write(file, text);
  return runCli(["sections", "set", file], env);
}

test("sections are set from lines of names, and shown in the same form", async () => {
  const owner = await world.person("owner");
  await world.room("hall", owner, [], "open");
  await world.room("vault", owner);
  expect(await show()).toBe("New accounts start without sections.\n");
  const text = "Daily: and weekly: #hall, #vault\nRest:\n";
  expect(await set("\n Daily: and weekly : hall,#vault, \r\n\nRest")).toMatchObject({
    status: 0,
    out: text,
  });
  expect(await show()).toBe(text);
  expect(await set(text)).toMatchObject({ status: 0, out: text });
  expect(await set("Rest: #nowhere")).toMatchObject({ status: 1, out: "" });
  expect(await set(`${"x".repeat(41)}: #hall`)).toMatchObject({ status: 1, out: "" });
  expect(await show()).toBe(text);
  expect((await set("")).out).toBe("New accounts start without sections.\n");
});
