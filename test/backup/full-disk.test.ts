import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { runHere } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { World } from "../support/world.ts";

/** Only root may mount a file system. */
const canMount = process.getuid?.() === 0 && Bun.which("mount") !== null;

describe.if(canMount)("a backup on a full disk", () => {
  let world: World;
  let folder: string;
  let env: Record<string, string>;
  const run = (...command: string[]) => Bun.spawnSync(command, { stderr: "inherit" }).exitCode;
  const filesIn = async (place: string) =>
    (await readdir(place, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "snug-full-backup-"));
    await mkdir(join(folder, "small"));
    expect(run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", join(folder, "small"))).toBe(0);
    world = await World.start();
    env = { DATABASE_URL: urlOf(world.target), DATA_DIR: world.settings.DATA_DIR };
    const ada = await world.person("ada");
    const room = await world.room("plans", ada);
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    const bytes = Buffer.concat(Array.from({ length: 64 }, () => noise));
    const { body } = await ada.upload(`/api/rooms/${room}/files`, bytes, "plan");
    await ada.say(room, "The plan", { file_ids: [body.id] });
  });
  afterAll(async () => {
    run("umount", "--lazy", join(folder, "small"));
    await world.stop();
    await rm(folder, { recursive: true });
  });

  test("names the full disk, and leaves nothing, where the archive is", async () => {
    const small = join(folder, "small");
    const { status, out, err } = await runHere(["backup", join(small, "x.tar")], env);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toBe(`The disk of ${small} is full (ENOSPC): free some space.\n`);
    expect(await filesIn(small)).toEqual([]);
  });

  test("and where the uploads are, also encrypted ones", async () => {
    const uploads = join(folder, "small", "uploads");
    const recipient = await identityToRecipient(await generateX25519Identity());
    for (const more of [[], ["--recipient", recipient]]) {
      const file = join(folder, "y.tar");
      const args = ["backup", file, "--uploads", uploads, ...more];
      const { status, err } = await runHere(args, env);
      expect([status, err]).toEqual([
        1,
        `The disk of ${uploads} is full (ENOSPC): free some space.\n`,
      ]);
      expect([await filesIn(folder), await filesIn(uploads)]).toEqual([[], []]);
    }
  });
});
