import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "../../package.json";

/*
 * Every command that a page shows is tried by a test that reads it there, or a reason is here why it is not. A new
 * command belongs to none of these, which fails.
 */
const ROOT = join(import.meta.dir, "../..");
const PAGES = ["*.md", "docs/**/*.md"].flatMap((pattern) => [
  ...new Bun.Glob(pattern).scanSync({ cwd: ROOT }),
]);
const read = (path: string) => Bun.file(join(ROOT, path)).text();

const TRIED: [command: RegExp, by: string][] = [
  [/^npx -y bun@\S+ start$/, "test/process/newcomer.test.ts"],
  [
    /^(?:npx -y bun@\S+ run test|bun run (?:check|test|openapi|recipes)|bun fmt .*|\.ci\/run)$/,
    ".ci/run",
  ],
  [/^bun run build /, "test/process/build.test.ts"],
  [/cli\.ts demo$/, "test/cli/demo.test.ts"],
  [/bun cli\.ts /, "test/docs/commands.test.ts"],
  [/^age-keygen /, "test/docs/commands.test.ts"],
  [/^(?:cp deploy\/systemd|printf |openssl |cd deploy$)/, "test/docs/install.test.ts"],
  [/^(?:create role|create database|alter database) /, "test/docs/commands.test.ts"],
  [/^DOMAIN=\S+ SNUG=".+" caddy run /, "test/process/grow.test.ts"],
  [/^helm install /, "test/surroundings/packages/chart.ts"],
  [/curl /, "test/docs/examples.test.ts"],
  [/^docker (?:build|run|logs|compose) /, ".github/workflows/ci.yml"],
  [/^bun run (?:try|packages)$/, ".github/workflows/ci.yml"],
];
/** What needs more than one machine has, or is itself a way to test or measure: that it is there is checked below. */
const ALONE: [command: RegExp, why: string][] = [
  [/^git clone /, "it fetches this repository"],
  [/^bun dev$/, "it is the service, which it starts again for each change of a file"],
  [/^sudo apt-get install /, ".ci/run installs the same packages"],
  [/^systemctl |^journalctl /, "it needs systemd as the machine's first process"],
  [/^docker push |^kubectl /, "it needs a registry, or a cluster"],
  [/^gh attestation verify /, "it needs a release on GitHub"],
  [
    /^(?:[A-Z_]+=\S+ )?bun test[ /]|^bun bench\/|^bun run (?:bench|soak|versions|buckets)\b/,
    "it is one",
  ],
];

type Line = { page: string; line: string };

/** Of the blocks in a shell's language or SQL, without what follows a line that goes on. */
async function listCommands(): Promise<Line[]> {
  const found: Line[] = [];
  for (const page of PAGES) {
    for (const [, block = ""] of (await read(page)).matchAll(/^ *```(?:sh|sql)\n(.*?)^ *```$/gms)) {
      for (const line of block.replaceAll(/\\\n/g, "").split("\n")) {
        const command = line.replace(/(?:^| +)# .*$/, "").trim();
        // A variable for the next line.
        if (command && !/^[A-Z]+=\S+$/.test(command)) found.push({ page, line: command });
      }
    }
  }
  return found;
}

test("each command of the pages is tried, or it is said why not", async () => {
  const commands = await listCommands();
  expect(commands.length).toBeGreaterThan(60);
  const all = [...TRIED, ...ALONE];
  const unknown = commands.filter(({ line }) => !all.some(([command]) => command.test(line)));
  expect(unknown).toEqual([]);
  const unused = all.filter(([command]) => !commands.some(({ line }) => command.test(line)));
  expect(unused).toEqual([]);
  expect(TRIED.filter(([, by]) => !existsSync(join(ROOT, by)))).toEqual([]);
});

test("scripts and files that commands name are there", async () => {
  const missing: Line[] = [];
  for (const { page, line } of await listCommands()) {
    const [, script] = /\bbun(?:@\S+)? run (\S+)/.exec(line) ?? [];
    const [, file] = /\bbun (?:test )?\.?\/?((?:bench|test|docs|deploy)\/\S+)/.exec(line) ?? [];
    const [, copied] = /^cp (\S+)/.exec(line) ?? [];
    const paths = [file, copied].filter((path) => path !== undefined);
    if ((script && !(script in scripts)) || paths.some((path) => !existsSync(join(ROOT, path))))
      missing.push({ page, line });
  }
  expect(missing).toEqual([]);
});
