import { type Asset, serveAsset } from "../client-bundle/assets.ts";
import { bundleClient, type ClientBundle } from "../client-bundle/bundle.ts";
import { createDocs } from "./docs/site.ts";
import { isPrebuilt, readPrebuilt } from "../client-bundle/prebuilt.ts";

export const DOCS_PAGE = "/docs.html";
const MANUAL_PAGE = "/manual.html";

export type Spa = Omit<ClientBundle, "assets" | "signInLinks"> & {
  /**
   * Serves the asset at a path, or `index.html` for any page of the client.
   * @param isSignedOut whether the client will show its sign-in, whose code the page then preloads
   */
  serve(request: Request, path: string, isSignedOut?: boolean): Response;
  /** Serves a page of the documentation, at `/docs` or below. The first request renders all pages. */
  serveDocs(request: Request, path: string): Promise<Response>;
};

let bundle: Promise<Spa> | null = null;

/**
 * Reads the client that `bun run build` wrote, or bundles it in memory, once per process.
 * @param reloadPages for development: open pages reload when the client changes
 * @throws AggregateError with the bundler's messages
 */
export function bundleSpa(reloadPages = false): Promise<Spa> {
  return useBundle(() => (isPrebuilt() ? readPrebuilt() : bundleClient(reloadPages)));
}

/** Makes this process serve a bundle, unless it already has one. */
export function useBundle(make: () => Promise<ClientBundle>): Promise<Spa> {
  bundle ??= make().then(createSpa);
  return bundle;
}

function createSpa({ assets, manifest, scriptHash, signInLinks }: ClientBundle): Spa {
  const page = assets.get("/index.html");
  if (!page) throw new Error("The client has no page.");
  let docs: Promise<Map<string, Asset>> | undefined;
  return {
    manifest,
    scriptHash,
    serve(request, path, isSignedOut = false) {
      const asset = assets.get(path);
      // A path with a file extension is a missing file; any other path is a page of the client.
      if (!asset && /\.[a-z0-9]{1,8}$/i.test(path)) return notFound();
      const response = serveAsset(request, asset ?? page);
      if (!asset && isSignedOut) response.headers.set("link", signInLinks);
      return response;
    },
    async serveDocs(request, path) {
      const template = assets.get(MANUAL_PAGE);
      if (!template) return notFound();
      docs ??= createDocs(new TextDecoder().decode(template.body));
      const asset = (await docs).get(path.replace(/\/$/, ""));
      return asset ? serveAsset(request, asset) : notFound();
    },
  };
}

function notFound(): Response {
  const headers = { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" };
  return new Response("Not found\n", { status: 404, headers });
}
