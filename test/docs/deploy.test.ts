import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { drawGrowth } from "../../bench/support/chart.ts";
import manifest from "../../package.json";
import { registerGauges } from "../../src/metrics.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { SETTINGS } from "../../src/settings.ts";
import { createSocketHandler } from "../../src/socket/sockets.ts";
import { VERSION } from "../../src/wire/version.ts";
import { World } from "../support/world.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();

let world: World;
beforeAll(async () => {
  world = await World.start({ METRICS_TOKEN: "token" });
});
afterAll(() => world.stop());

/** The metrics that a text asks for, without the endings of histograms. */
function metricsIn(text: string): Set<string> {
  const names = text.match(/\bsnug_[a-z_]+/g) ?? [];
  return new Set(names.map((name) => name.replace(/_(?:bucket|count|sum)$/, "")));
}

test("the dashboard and the alerts ask for metrics that there are", async () => {
  // Those with labels appear with their first value; each is described from the start.
  const served = await (await fetch(`${world.service.address}/metrics`)).text();
  const there = new Set([...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name));
  for (const file of ["deploy/metrics/grafana.json", "deploy/metrics/alerts.yaml"]) {
    const asked = metricsIn(await read(file));
    expect(asked.size).toBeGreaterThan(3);
    expect([file, [...asked].filter((name) => !there.has(name))]).toEqual([file, []]);
  }
  const { panels } = JSON.parse(await read("deploy/metrics/grafana.json"));
  expect(panels.length).toBeGreaterThan(10);
});

test("the dashboard and the alerts ask for labels that their metrics have", async () => {
  const metrics = createMetrics();
  registerGauges(metrics, world.database.sql, {} as never, {} as never);
  const labels = new Map(
    metrics.registry
      .getMetricsAsArray()
      .map((item) => [item.name, (item as unknown as { labelNames: string[] }).labelNames]),
  );
  metrics.stop();
  const dashboard = await read("deploy/metrics/grafana.json");
  const rules = Bun.YAML.parse(await read("deploy/metrics/alerts.yaml"));
  const expressions = [
    ...`${dashboard}${JSON.stringify(rules)}`.matchAll(/"expr": ?"((?:\\.|[^"])*)"/g),
  ]
    .map(([, expression]) => JSON.parse(`"${expression}"`) as string)
    .filter((expression) => expression.includes("snug_"));
  expect(expressions.length).toBeGreaterThan(20);
  // Prometheus' own.
  const own = ["job", "instance", "le"];
  const wrong = expressions.filter((expression) => {
    const known = [...metricsIn(expression)].flatMap((name) => labels.get(name) ?? []);
    const groups = [...expression.matchAll(/\bby \(([^)]+)\)/g)];
    const grouped = groups.flatMap(([, list = ""]) => list.split(/, */));
    const selected = [...expression.matchAll(/(\w+)(?:=~?|!=|!~)"/g)].map(([, name = ""]) => name);
    return [...grouped, ...selected].some((name) => ![...own, ...known].includes(name));
  });
  expect(wrong).toEqual([]);
});

test("each proxy lets a quiet WebSocket live for longer than Snug does", async () => {
  const { idleTimeout = 0 } = createSocketHandler({} as never, {} as never, "");
  const seconds = async (file: string, pattern: RegExp) => {
    const [, count = "", unit] = pattern.exec(await read(file)) ?? [];
    return Number(count) * (unit === "h" ? 3_600 : 1);
  };
  expect(idleTimeout).toBeGreaterThan(0);
  for (const [file, pattern] of [
    ["deploy/proxy/nginx.conf", /proxy_read_timeout (\d+)(s);/],
    ["deploy/proxy/nginx.conf", /proxy_send_timeout (\d+)(s);/],
    ["deploy/proxy/haproxy.cfg", /timeout tunnel (\d+)(h)/],
    ["deploy/helm/values.yaml", /proxy-read-timeout: "(\d+)"/],
    ["deploy/helm/values.yaml", /proxy-send-timeout: "(\d+)"/],
  ] as const) {
    const allowed = await seconds(file, pattern);
    expect([file, `${pattern}`, allowed > idleTimeout]).toEqual([file, `${pattern}`, true]);
  }
});

test("the picture of growth is the one that its bench draws, and is served with its page", async () => {
  // As docs/scaling.md has its command, with the defaults of `bench/scale.ts`.
  const [, commits] =
    /--commits (\d+) --draw docs\/growth\.svg/.exec(await read("docs/scaling.md")) ?? [];
  const team = { people: 1e5, messagesAnHour: 6, receivers: 100, instances: 10, postgresCores: 8 };
  const drawn = drawGrowth(team, Number(commits));
  expect(await read("docs/growth.svg")).toBe(drawn);
  const [page, picture] = await Promise.all(
    ["/docs/scaling", "/docs/growth.svg"].map((path) => fetch(world.service.address + path)),
  );
  expect(await page?.text()).toContain('src="/docs/growth.svg"');
  expect(picture?.headers.get("content-type")).toStartWith("image/svg+xml");
  expect(await picture?.text()).toBe(drawn);
});

test("docs/operate.md explains each alert", async () => {
  const alerts = [...(await read("deploy/metrics/alerts.yaml")).matchAll(/- alert: (\w+)/g)];
  const page = await read("docs/operate.md");
  expect(alerts.length).toBeGreaterThan(5);
  for (const [, name = ""] of alerts) expect(page).toContain(`\`${name}\``);
});

test("packages and pages name one version of Bun, and one of Snug", async () => {
  const bun = manifest.engines.bun.replace(">=", "");
  const files = ["deploy/Dockerfile", ".github/workflows/release.yml", ".ci/run", "README.md"];
  for (const file of [...files, "docs/install.md"]) {
    const named = [...(await read(file)).matchAll(/bun[@:](\d+\.\d+\.\d+)/g)].map(([, one]) => one);
    expect([file, ...new Set(named)]).toEqual([file, bun]);
  }
  expect(await read("deploy/helm/Chart.yaml")).toContain(`appVersion: "${VERSION}"`);
  expect(manifest.version).toBe(VERSION);
});

test("packages set variables that there are", async () => {
  const known = new Set(SETTINGS.flatMap(({ settings }) => settings.map(({ name }) => name)));
  // What Bun, PostgreSQL and Caddy read, and what compose fills in.
  const others = /^(?:BUN_|POSTGRES_|DOMAIN$|SNUG$)/;
  const found: string[] = [];
  const patterns: [file: string, pattern: RegExp][] = [
    ["deploy/Dockerfile", /^(?:ENV| {4})\s*([A-Z_]+)=/gm],
    ["deploy/compose.yaml", /^ {6}([A-Z_0-9]+): /gm],
    ["deploy/helm/values.yaml", /^ {2}([A-Z_0-9]+): /gm],
    ["deploy/systemd/snug.service", /(?<=^Environment=.*)\b([A-Z_0-9]+)=/gm],
  ];
  for (const [file, pattern] of patterns) {
    const names = [...(await read(file)).matchAll(pattern)].map(([, name = ""]) => name);
    expect([file, names.length > 0]).toEqual([file, true]);
    found.push(...names.filter((name) => !others.test(name)));
  }
  expect(found.filter((name) => !known.has(name))).toEqual([]);
});

test("what the image is built of is let into its context", async () => {
  const ignore = await read("deploy/Dockerfile.dockerignore");
  const present = [...ignore.matchAll(/^!(\S+)$/gm)].map(([, name = ""]) => name);
  const build = await read("deploy/build.ts");
  const copied = /const COPIED = \[([^\]]+)\]/.exec(build)?.[1]?.match(/[\w.]+/g) ?? [];
  const beside = [...build.matchAll(/from "\.\/(\w+\.ts)"/g)].map(([, name]) => `deploy/${name}`);
  // The client's JSX follows tsconfig.json.
  const needed = [
    "tsconfig.json",
    "package.json",
    "bun.lock",
    "patches",
    "public",
    ...copied,
    ...beside,
  ];
  expect(copied.length).toBeGreaterThan(4);
  expect(needed.filter((name) => !present.includes(name))).toEqual([]);
});
