import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { devDependencies } from "../../package.json";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { bundleSpa } from "../../src/http/spa.ts";
import { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { DISK } from "../support/memory.ts";

setDefaultTimeout(120_000);
const ROOT = join(import.meta.dir, "../..");
const NOBODY = "65534";
/** As root, what it is started by: as a container does, it gives up all rights. */
const UNPRIVILEGED =
  process.getuid?.() === 0
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--no-new-privs"]
    : [];

let home: string;
const started: [child: Subprocess, data: string][] = [];
beforeAll(async () => {
  home = await mkdtemp(join(DISK, "snug-build-"));
  await chmod(home, 0o755);
});
afterAll(async () => {
  for (const [child] of started) child.kill("SIGKILL");
  for (const data of new Set(started.map(([, data]) => data))) {
    await (await startEmbedded(data)).release();
  }
  await run(["chmod", "-R", "u+w", home], home);
  await rm(home, { recursive: true });
});

async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`${command.join(" ")}: ${out}${err}`);
  return out;
}

/** What `docs/install.md` shows: the arguments of `bun run build`, and what they make. */
const BUILDS = [
  ...(await Bun.file(join(ROOT, "docs/install.md")).text()).matchAll(
    /^bun run build \/opt\/snug --(\S+)$/gm,
  ),
].map(([, option = ""]) => option);

test("install.md shows a program that is compiled, and sources with Bun beside them", () => {
  expect(BUILDS).toEqual(["compile", "with-bun"]);
});

/** A build takes ten seconds of a processor: `bun run packages`, which CI runs too, makes all of them. */
const MADE = process.env.SNUG_PACKAGES ? BUILDS : BUILDS.slice(0, 1);

describe.each(MADE)("built --%s", (option) => {
  let folder: string;
  let data: string;
  beforeAll(async () => {
    [folder, data] = [join(home, option), join(home, `data-${option}`)];
    await run([process.execPath, "deploy/build.ts", folder, `--${option}`], ROOT);
    await mkdir(data);
    if (UNPRIVILEGED.length > 0) await run(["chown", `${NOBODY}:${NOBODY}`, data], home);
    await run(["chmod", "-R", "a-w", folder], home);
  });

  /** Starts the folder's own program with nothing else: no checkout, no PATH to Bun, no home. */
  function launch(...args: string[]) {
    const child = Bun.spawn([...UNPRIVILEGED, join(folder, "snug"), ...args], {
      cwd: data,
      env: { PATH: "/usr/bin:/bin", DATA_DIR: data, PORT: "0", LOG_FORMAT: "json" },
      stdout: "pipe",
      stderr: "pipe",
    });
    started.push([child, data]);
    return child;
  }

  test("it is all that is needed, is read-only, and runs without rights", async () => {
    const service = launch();
    const log = new Response(service.stderr).text();
    let out = "";
    for await (const chunk of service.stdout) {
      out += new TextDecoder().decode(chunk);
      if (/#token=\S+/.test(out)) break;
    }
    if (service.exitCode !== null) throw new Error(await log);
    const token = /#token=(\S+)/.exec(out)?.[1] ?? "";
    const address = /(http:\/\/\S+)\/signup/.exec(out)?.[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const signup = await new Client(address).post("/api/signup", ada);
    const client = new Client(address, signup.headers.get("set-cookie")?.split(";")[0] ?? "");
    const room = (await client.post("/api/rooms", { name: "hall", privacy: "open" })).body.id;
    const image = await client.upload(`/api/rooms/${room}/images`, await picture("png", 900, 600));
    expect(image.status).toBe(201);

    // The client is the one of the sources, compressed before.
    const spa = await bundleSpa();
    for (const path of ["/", "/api/docs", "/sw.js", "/icons/icon-192.png", "/docs/install"]) {
      const headers = { "accept-encoding": "br" };
      const answer = await fetch(address + path, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      const sources = path.startsWith("/docs/")
        ? await spa.serveDocs(new Request(address + path), path)
        : spa.serve(new Request(address + path), path === "/api/docs" ? "/docs.html" : path);
      const [built, made] = await Promise.all([answer.bytes(), sources.bytes()]);
      expect(Buffer.from(built).equals(made)).toBe(true);
    }
    expect((await fetch(`${address}/manifest.webmanifest`)).status).toBe(200);
    const page = await (await fetch(address)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "";
    const packed = await fetch(address + script, {
      headers: { "accept-encoding": "br" },
      decompress: false,
    });
    const library = option === "compile" ? join(folder, "lib") : folder;
    const file = await Bun.file(join(library, "client", `${script}.br`)).bytes();
    expect(Buffer.from(await packed.bytes()).equals(file)).toBe(true);

    const doctor = launch("doctor");
    expect(await new Response(doctor.stdout).text()).toContain("ok  database");
    expect(await doctor.exited).toBe(0);
    service.kill("SIGTERM");
    expect(await service.exited).toBe(0);
    expect(await log).not.toContain("WARN");
  });

  test("it has no package that only development needs", async () => {
    const modules = join(folder, option === "compile" ? "lib" : "", "node_modules");
    const names = (await readdir(modules)).flatMap((name) =>
      name.startsWith("@")
        ? [...new Bun.Glob(`${name}/*`).scanSync({ cwd: modules, onlyFiles: false })]
        : name,
    );
    expect(names).toContain("sharp");
    expect(names.filter((name) => name in devDependencies)).toEqual([]);
    // Those of the client are in what was bundled.
    expect(names.filter((name) => /^(?:preact|@preact\/|lowlight|lucide)/.test(name))).toEqual([]);
    // In the program is all that need not be a file.
    expect(names.includes("elysia")).toBe(option !== "compile");
  });
});
