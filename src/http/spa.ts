import { serveAsset } from "./assets.ts";
import { bundleClient, type ClientBundle } from "./client-bundle.ts";
import { isPrebuilt, readPrebuilt } from "./prebuilt.ts";

/** The page with the documentation of the API. */
export const DOCS_PAGE = "/docs.html";

export type Spa = Omit<ClientBundle, "assets"> & {
  /** Serves the asset at a path, or the page for any path of the client's. */
  serve(request: Request, path: string): Response;
};

let bundled: Promise<Spa> | null = null;

/**
 * Reads what `bun run build` has made of the client, or bundles it in memory, once per process.
 * @param reloadPages makes open pages reload when another client is served: for development
 * @throws AggregateError with the bundler's messages
 */
export function bundleSpa(reloadPages = false): Promise<Spa> {
  bundled ??= isPrebuilt()
    ? readPrebuilt().then(createSpa)
    : bundleClient(reloadPages).then(createSpa);
  return bundled;
}

function createSpa({ assets, manifest, scriptHash }: ClientBundle): Spa {
  const page = assets.get("/index.html");
  if (!page) throw new Error("The client has no page.");
  return {
    manifest,
    scriptHash,
    serve(request, path) {
      const asset = assets.get(path);
      // A missing file is 404; any other path is one of the client's pages.
      if (!asset && /\.[a-z0-9]{1,8}$/i.test(path))
        return new Response("Not found\n", {
          status: 404,
          headers: { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" },
        });
      return serveAsset(request, asset ?? page);
    },
  };
}
