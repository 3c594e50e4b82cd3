import { join } from "node:path";
import { type Asset, toAsset } from "./assets.ts";
import { lezerPlugin } from "./lezer-plugin.ts";

const PUBLIC = join(import.meta.dir, "../../public");
const ENTRY = join(PUBLIC, "index.html");
const DOCS = join(PUBLIC, "docs.html");
const MANUAL = join(PUBLIC, "manual.html");
const SUPPORT = join(PUBLIC, "app/support.ts");
const FIRST_PAINT = join(PUBLIC, "app/first-paint.ts");
const WORKER = join(PUBLIC, "worker/worker.ts");
/** The web manifest names these files, so they have no hashes. Preloads the session. */
const FIXED_HEAD = `<link rel="preload" href="/api/auth/session" as="fetch" crossorigin>
<link rel="apple-touch-icon" href="/icons/apple-touch-180.png">
<link rel="manifest" href="/manifest.webmanifest">
</head>`;

export type ClientBundle = {
  assets: Map<string, Asset>;
  manifest: object;
  /** CSP sources of the page's inline scripts (CSP 3, 2.3.1). */
  scriptHash: string;
  /** A `Link` header (RFC 8288) that preloads what the sign-in needs besides the client. */
  signInLinks: string;
};

/** The sources of the chunks that the sign-in loads, with its English words. */
const SIGN_IN = [
  "public/app/sign-in/signed-out.tsx",
  "public/app/words/en/security.ts",
  "public/app/words/en/forms.ts",
];

/** Bundles in memory. Assets have hashes in their names, so they are cached forever. @throws AggregateError */
export async function bundleClient(reloadPages: boolean): Promise<ClientBundle> {
  // Bundled separately, so that pages do not load each other's chunks.
  const [app, docs, manual, inline] = await Promise.all([
    buildPage(ENTRY, reloadPages),
    buildPage(DOCS, reloadPages),
    buildPage(MANUAL, reloadPages),
    buildInlineScripts(),
  ]);
  const assets = new Map<string, Asset>();
  for (const output of [app, docs, manual].flatMap(({ outputs }) => outputs)) {
    const path = `/${output.path.replace(/^\.?\//, "")}`;
    const bytes = new Uint8Array(await output.arrayBuffer());
    const body = path === "/index.html" ? withHead(bytes, inline.scripts) : bytes;
    assets.set(path, toAsset(body, output.type, path));
  }
  if (!assets.has("/index.html")) throw new Error("The bundle has no page.");
  const chunks = new TextEncoder().encode(JSON.stringify(listChunks(app.metafile)));
  assets.set("/chunks.json", toAsset(chunks, "application/json", "/chunks.json"));
  const [worker, ...fixedAssets] = await Promise.all([
    bundleWorker(assets),
    ...(await readFixed()),
  ]);
  for (const [path, asset] of [worker, ...fixedAssets]) assets.set(path, asset);
  return {
    assets,
    manifest: await Bun.file(join(PUBLIC, "manifest.json")).json(),
    scriptHash: inline.hashes,
    signInLinks: linkSignIn(app.metafile),
  };
}

/** The addresses of the scripts that the page can import, by their sources in `public`. */
function listChunks(metafile: Bun.BuildMetafile | undefined): Record<string, string> {
  const scripts = Object.entries(metafile?.outputs ?? {}).filter(([path]) => path.endsWith(".js"));
  return Object.fromEntries(
    scripts.flatMap(([path, { entryPoint }]) =>
      entryPoint ? [[entryPoint.replace("public/", ""), path.slice(1)]] : [],
    ),
  );
}

/** Links to the chunks of the sign-in and those that they import, and to its first requests. */
function linkSignIn(metafile: Bun.BuildMetafile | undefined): string {
  const outputs = Object.entries(metafile?.outputs ?? {});
  const chunks = outputs.filter(([, { entryPoint }]) => SIGN_IN.includes(entryPoint ?? ""));
  if (chunks.length !== SIGN_IN.length) throw new Error("The bundle lacks a chunk of the sign-in.");
  const paths = chunks.flatMap(([path, { imports }]) => [
    path,
    ...imports.filter(({ kind }) => kind === "import-statement").map((entry) => entry.path),
  ]);
  const links = [...new Set(paths)].map((path) => `<${path.slice(1)}>; rel=modulepreload`);
  return [...links, "</api/auth/methods>; rel=preload; as=fetch; crossorigin"].join(", ");
}

/**
 * Bun.build has no setting for target browsers: it lowers nesting, `light-dark()` and logical corners
 * in styles, but nothing in scripts. `test/client/browser-support.test.ts` checks the rest.
 */
function buildPage(entry: string, reloadPages: boolean) {
  return Bun.build({
    entrypoints: [entry],
    minify: true,
    metafile: true,
    plugins: [lezerPlugin],
    // Makes libraries drop their development checks.
    define: { "process.env.NODE_ENV": '"production"', RELOAD_PAGES: String(reloadPages) },
    splitting: true,
    minChunkSize: 4_000,
    // A browser keeps a failed preload like a failed import, so that a retry would fail, too.
    modulePreload: false,
    publicPath: "/",
    naming: {
      entry: "[name].[ext]",
      chunk: "assets/[name]-[hash].[ext]",
      asset: "assets/[name]-[hash].[ext]",
    },
  });
}

async function buildInlineScripts(): Promise<{ scripts: string[]; hashes: string }> {
  // The bundler adds an arrow function, which old browsers do not support.
  const support = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const scripts = await Promise.all([
    Bun.file(SUPPORT)
      .text()
      .then((source) => support.transformSync(source).trim()),
    buildScript(FIRST_PAINT),
  ]);
  const hashes = scripts.map((script) => {
    const digest = new Bun.CryptoHasher("sha256").update(script).digest("base64");
    return `'sha256-${digest}'`;
  });
  return { scripts, hashes: hashes.join(" ") };
}

/** The worker caches the files that the page loads first, and changes whenever they do. */
async function bundleWorker(assets: Map<string, Asset>): Promise<[string, Asset]> {
  const text = new TextDecoder().decode(assets.get("/index.html")?.body);
  const shell = [...assets.keys()].filter((path) => text.includes(`"${path}"`));
  const version = Bun.hash([text, ...shell].join()).toString(36);
  const define = { SHELL: JSON.stringify(shell), VERSION: JSON.stringify(version) };
  const body = new TextEncoder().encode(await buildScript(WORKER, define));
  return ["/sw.js", toAsset(body, "text/javascript;charset=utf-8", "/sw.js")];
}

async function buildScript(entry: string, define: Record<string, string> = {}): Promise<string> {
  const build = await Bun.build({ entrypoints: [entry], minify: true, format: "iife", define });
  const [output] = build.outputs;
  if (!output) throw new Error(`The bundle has no ${entry}.`);
  return (await output.text()).trim();
}

async function readFixed(): Promise<Promise<[string, Asset]>[]> {
  const icons = [...new Bun.Glob("icons/*").scanSync({ cwd: PUBLIC })];
  const read = async (path: string, file: string, type: string): Promise<[string, Asset]> => [
    path,
    toAsset(await Bun.file(join(PUBLIC, file)).bytes(), type, path),
  ];
  return [
    read("/manifest.webmanifest", "manifest.json", "application/manifest+json"),
    ...icons.map((icon) => read(`/${icon}`, icon, "image/png")),
  ];
}

/** Inserts the scripts before anything that loads a file, so that they run first. */
function withHead(page: Uint8Array, scripts: string[]): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder()
    .decode(page)
    .replace(
      "<link",
      () => `${scripts.map((script) => `<script>${script}</script>\n`).join("")}<link`,
    )
    .replace("</head>", FIXED_HEAD);
  return new TextEncoder().encode(text);
}
