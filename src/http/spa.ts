import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { leanMarkdown } from "./lean-markdown.ts";

const PUBLIC = join(import.meta.dir, "../../public");
const ENTRY = join(PUBLIC, "index.html");
const DOCS = join(PUBLIC, "docs.html");
/** The page with the documentation of the API. */
export const DOCS_PAGE = "/docs.html";
const FIRST_PAINT = join(PUBLIC, "app/first-paint.ts");
const WORKER = join(PUBLIC, "worker/worker.ts");
/**
 * These keep their names, which the manifest has, so the bundler must not add hashes. The session is
 * preloaded while the client loads.
 */
const FIXED_HEAD = `<link rel="preload" href="/api/auth/session" as="fetch" crossorigin>
<link rel="apple-touch-icon" href="/icons/apple-touch-180.png">
<link rel="manifest" href="/manifest.webmanifest">
</head>`;

type Asset = { body: Uint8Array<ArrayBuffer>; type: string; etag: string; immutable: boolean };
type Encoding = "br" | "gzip";

export type Spa = {
  /** The web manifest of Snug itself. */
  manifest: object;
  /** Serves the asset at a path, or the page for any path of the client's. */
  serve(request: Request, path: string): Response;
  /** The page's inline script as a source of the content policy (CSP 3, 2.3.1). */
  scriptHash: string;
};

let bundled: Promise<Spa> | null = null;

/**
 * Bundles the client in memory, once per process. Names have a hash of the content, so everything but
 * the page itself may be cached for ever.
 * @param reloadPages makes open pages reload when another client is served: for development
 * @throws AggregateError with the bundler's messages
 */
export function bundleSpa(reloadPages = false): Promise<Spa> {
  bundled ??= bundle(reloadPages);
  return bundled;
}

async function bundle(reloadPages: boolean): Promise<Spa> {
  // Separately, so that neither loads chunks for the other.
  const [built, docs, firstPaint] = await Promise.all([
    buildPage(ENTRY, reloadPages),
    buildPage(DOCS, reloadPages),
    buildFirstPaint(),
  ]);
  const assets = new Map<string, Asset>();
  for (const output of [...built.outputs, ...docs.outputs]) {
    const path = `/${output.path.replace(/^\.?\//, "")}`;
    const body = new Uint8Array(await output.arrayBuffer());
    assets.set(
      path,
      toAsset(path === "/index.html" ? withHead(body, firstPaint.script) : body, output.type, path),
    );
  }
  const page = assets.get("/index.html");
  if (!page) throw new Error("The bundle has no page.");
  const [worker, ...fixed] = await Promise.all([bundleWorker(assets), ...(await readFixed())]);
  for (const [path, asset] of [worker, ...fixed]) assets.set(path, asset);
  const compressed = new Map<string, Uint8Array<ArrayBuffer>>();
  const compress = (asset: Asset, encoding: Encoding) => {
    const key = `${encoding} ${asset.etag}`;
    const found = compressed.get(key) ?? deflate(asset.body, encoding);
    compressed.set(key, found);
    return found;
  };
  return {
    manifest: await Bun.file(join(PUBLIC, "manifest.json")).json(),
    scriptHash: firstPaint.hash,
    serve(request, path) {
      const asset = assets.get(path);
      // A missing file is 404; any other path is one of the client's pages.
      if (!asset && /\.[a-z0-9]{1,8}$/i.test(path))
        return new Response("Not found\n", {
          status: 404,
          headers: { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" },
        });
      return answer(request, asset ?? page, compress);
    },
  };
}

function buildPage(entry: string, reloadPages: boolean) {
  return Bun.build({
    entrypoints: [entry],
    minify: true,
    plugins: [leanMarkdown],
    // Libraries leave out their checks for development.
    define: { "process.env.NODE_ENV": '"production"', RELOAD_PAGES: String(reloadPages) },
    splitting: true,
    publicPath: "/",
    naming: {
      entry: "[name].[ext]",
      chunk: "assets/[name]-[hash].[ext]",
      asset: "assets/[name]-[hash].[ext]",
    },
  });
}

/** The page's inline script and its source in the policy. */
async function buildFirstPaint(): Promise<{ script: string; hash: string }> {
  const script = await buildScript(FIRST_PAINT);
  const digest = new Bun.CryptoHasher("sha256").update(script).digest("base64");
  return { script, hash: `'sha256-${digest}'` };
}

/** The service worker, which caches what the page loads first and changes with it. */
async function bundleWorker(assets: Map<string, Asset>): Promise<[string, Asset]> {
  const text = new TextDecoder().decode(assets.get("/index.html")?.body);
  const shell = [...assets.keys()].filter((path) => text.includes(`"${path}"`));
  const version = Bun.hash([text, ...shell].join()).toString(36);
  const define = { SHELL: JSON.stringify(shell), VERSION: JSON.stringify(version) };
  const body = new TextEncoder().encode(await buildScript(WORKER, define));
  return ["/sw.js", toAsset(body, "text/javascript;charset=utf-8", "/sw.js")];
}

/** Bundles a script into one file. */
async function buildScript(entry: string, define: Record<string, string> = {}): Promise<string> {
  const built = await Bun.build({ entrypoints: [entry], minify: true, format: "iife", define });
  const [output] = built.outputs;
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

/** Puts the script before everything that is loaded, so that it waits for nothing. */
function withHead(page: Uint8Array, script: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder()
    .decode(page)
    .replace("<link", () => `<script>${script}</script>\n<link`)
    .replace("</head>", FIXED_HEAD);
  return new TextEncoder().encode(text);
}

/** Browsers revalidate an asset without a hash in its name each time. */
function toAsset(body: Uint8Array<ArrayBuffer>, type: string, path: string): Asset {
  const etag = `"${Bun.hash(body).toString(36)}"`;
  return { body, type, etag, immutable: path.startsWith("/assets/") };
}

function answer(
  request: Request,
  asset: Asset,
  compress: (asset: Asset, encoding: Encoding) => Uint8Array<ArrayBuffer>,
): Response {
  const headers = new Headers({
    "content-type": asset.type,
    etag: asset.etag,
    vary: "accept-encoding",
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (isCached(request.headers.get("if-none-match"), asset.etag))
    return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(request.headers.get("accept-encoding") ?? "");
  if (encoding) headers.set("content-encoding", encoding);
  const body = encoding ? compress(asset, encoding) : asset.body;
  if (request.method === "HEAD") headers.set("content-length", String(body.byteLength));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** By weak comparison (RFC 9110, 13.1.2), since a proxy that compresses makes our tags weak. */
function isCached(header: string | null, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

function chooseEncoding(accepted: string): Encoding | null {
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?\b)/i.test(accepted)) return "br";
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?\b)/i.test(accepted) ? "gzip" : null;
}

/** Compresses an asset. The result is cached on the first request. */
function deflate(body: Uint8Array, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "gzip") return new Uint8Array(gzipSync(body, { level: 9 }));
  return new Uint8Array(
    brotliCompressSync(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
  );
}
