import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");
const CHART = join(ROOT, "deploy/helm");
/** An interface of the package `kubernetes-models` for each kind that the chart makes. */
const KINDS: Record<string, string> = {
  Deployment: "apps/v1",
  Ingress: "networking.k8s.io/v1",
  PodDisruptionBudget: "policy/v1",
  Service: "v1",
};

type Values = {
  replicas: number;
  env: Record<string, string>;
  ingress: { enabled: boolean; tlsSecretName: string };
};
// biome-ignore lint/suspicious/noExplicitAny: it is what is to be checked.
type Manifest = any;

/**
 * Has Helm lint the chart and fill it in, and checks what it makes: each field by Kubernetes' own types, and that
 * its parts find each other. The command of `docs/install.md` is one of the ways.
 * @param folder one with `kubernetes-models` installed
 * @returns what was checked
 * @throws Error with the first thing that is wrong
 */
export async function checkChart(helm: string, folder: string): Promise<string> {
  const image = "image.repository=registry.example.org/snug";
  await Bun.$`${helm} lint --strict ${CHART} --set ${image}`.quiet();
  const unnamed = await Bun.$`${helm} template chat ${CHART}`.nothrow().quiet();
  if (!`${unnamed.stderr}`.includes("Set image.repository")) throw new Error("No image is taken.");
  const values = Bun.YAML.parse(await Bun.file(join(CHART, "values.yaml")).text()) as Values;
  const without = { ...values, ingress: { ...values.ingress, tlsSecretName: "" } };
  const none = { ...values, ingress: { ...values.ingress, enabled: false } };
  const all: Manifest[] = [];
  const plain = { ...values, ingress: { ...values.ingress, annotations: null } };
  for (const given of [values, without, none, plain]) {
    const file = join(folder, "values.yaml");
    await Bun.write(file, JSON.stringify(given));
    const manifests = await render(helm, ["chat", CHART, "--values", file, "--set", image]);
    checkParts(manifests, given);
    all.push(...manifests);
  }
  const page = await Bun.file(join(ROOT, "docs/install.md")).text();
  const [, shown = ""] = /^helm install (.+)$/m.exec(page) ?? [];
  const [, BASE_URL = ""] = /env\.BASE_URL=(\S+)/.exec(shown) ?? [];
  const manifests = await render(helm, shown.split(" "));
  checkParts(manifests, { ...values, env: { ...values.env, BASE_URL } });
  await checkFields([...all, ...manifests], folder);
  return `${all.length + manifests.length} manifests of four sets of values and of install.md`;
}

/** @param args of `helm install` */
async function render(helm: string, args: string[]): Promise<Manifest[]> {
  const out = await Bun.$`${helm} template ${args}`.cwd(ROOT).text();
  return out
    .split(/^---$/m)
    .map((text) => Bun.YAML.parse(text) as Manifest)
    .filter((item) => item !== null);
}

/** By `validate` of each model, and by its type, which knows what fields there are. */
async function checkFields(manifests: Manifest[], folder: string): Promise<void> {
  const kinds = [...new Set(manifests.map(({ kind }) => kind as string))].sort();
  const lines = kinds.map((kind) => {
    const from = KINDS[kind];
    if (!from) throw new Error(`The chart makes a ${kind}, whose model is not named.`);
    return `import { ${kind}, type I${kind} } from "kubernetes-models/${from}";`;
  });
  const checks = manifests.map(
    (manifest, i) =>
      `const m${i}: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};\nnew ${manifest.kind}(m${i}).validate();`,
  );
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, "manifests.ts"), [...lines, ...checks, ""].join("\n"));
  const options = { strict: true, module: "esnext", moduleResolution: "bundler", noEmit: true };
  const settings = { compilerOptions: { ...options, skipLibCheck: true, types: [] } };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(settings));
  for (const command of [["check", "--no-script"], ["manifests.ts"]]) {
    const done = await Bun.$`${process.execPath} ${command}`.cwd(folder).nothrow().quiet();
    if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`);
  }
}

function checkParts(manifests: Manifest[], { env, ingress }: Values): void {
  const one = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const { spec } = one("Deployment");
  const { labels } = spec.template.metadata;
  for (const selector of [
    spec.selector.matchLabels,
    one("Service").spec.selector,
    one("PodDisruptionBudget").spec.selector.matchLabels,
    spec.template.spec.topologySpreadConstraints[0].labelSelector.matchLabels,
  ]) {
    expectSame("a selector and the labels of the pods", selector, labels);
  }
  const [container] = spec.template.spec.containers;
  const [port] = one("Service").spec.ports;
  expectSame(
    "the ports of service and container",
    [port.targetPort],
    container.ports.map(({ name }: Manifest) => name),
  );
  const set = container.env.map(({ name, value }: Manifest) => [name, value]);
  expectSame("the variables", Object.fromEntries(set), env);
  const volumes = spec.template.spec.volumes.map(({ name }: Manifest) => name);
  const mounts = container.volumeMounts.map(({ name }: Manifest) => name);
  expectSame("volumes and mounts", volumes, mounts);
  expectSame("an ingress", one("Ingress") !== undefined, ingress.enabled);
  if (!ingress.enabled) return;
  const { name, port: to } = one("Ingress").spec.rules[0].http.paths[0].backend.service;
  expectSame(
    "the ingress and its service",
    [name, to.name],
    [one("Service").metadata.name, port.name],
  );
  expectSame("TLS", "tls" in one("Ingress").spec, ingress.tlsSecretName !== "");
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (Bun.deepEquals(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}
