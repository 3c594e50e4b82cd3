import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashToken, loadSecretKey, randomToken } from "../../src/platform/secrets/secrets.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-secrets-"));
});
afterAll(() => rm(home, { recursive: true }));

describe("the secret key", () => {
  test("is created once, readable by its owner only, and read again", async () => {
    const folder = join(home, "data of mine");
    const [key] = await loadSecretKey(folder, null);
    expect(key).toHaveLength(32);
    const file = join(folder, "secret.key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toBe(`${key.toString("base64")}\n`);
    expect(await loadSecretKey(folder, null)).toEqual([key]);
  });

  test("is the same for all callers that start at once, and leaves no other file", async () => {
    const folder = join(home, "at once");
    const keys = await Promise.all(Array.from({ length: 24 }, () => loadSecretKey(folder, null)));
    expect(new Set(keys.map(([key]) => key.toString("hex"))).size).toBe(1);
    expect(await readdir(folder)).toEqual(["secret.key"]);
  });

  test("is one for processes that start at once", async () => {
    const folder = join(home, "processes");
    const module = join(import.meta.dir, "../../src/platform/secrets/secrets.ts");
    const code = `const { loadSecretKey } = await import(process.argv[1]);
      console.log((await loadSecretKey(process.argv[2], null))[0].toString("hex"));`;
    const children = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", code, module, folder], { stdout: "pipe" }),
    );
    const keys = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    expect(keys[0]).toMatch(/^[0-9a-f]{64}\n$/);
    expect(new Set(keys).size).toBe(1);
  });

  test("is made private again if its mode was changed", async () => {
    const folder = join(home, "opened");
    await loadSecretKey(folder, null);
    await chmod(join(folder, "secret.key"), 0o644);
    await loadSecretKey(folder, null);
    expect((await stat(join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
  });

  test("comes from the settings if they have one, and no file is created", async () => {
    const given = [Buffer.alloc(32, 1)] as const;
    const folder = join(home, "never made");
    expect(await loadSecretKey(folder, given)).toBe(given);
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  });

  test("is never replaced when the file is broken: what it encrypted would be lost", async () => {
    await writeFile(join(home, "secret.key"), "broken\n");
    await expect(loadSecretKey(home, null)).rejects.toThrow("32 bytes");
    expect(await readFile(join(home, "secret.key"), "utf8")).toBe("broken\n");
  });
});

test("a token is 43 characters of base64url, never twice the same, and stored as its SHA-256", () => {
  const tokens = Array.from({ length: 100 }, randomToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(tokens).size).toBe(100);
  expect(hashToken("abc").toString("hex")).toStartWith("ba7816bf8f01cfea");
});
