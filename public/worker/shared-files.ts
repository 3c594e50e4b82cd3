import { MAX_CONTENT_LENGTH } from "../../src/wire/limits.ts";
import { limitWait } from "../app/connection/clock.ts";

/**
 * The cache of what another app shares to Snug (Web Share Target, W3C). A share arrives as a form
 * and is cached; the page at /share asks for the room.
 */
export const SHARED = "shared";
const MAX_FILES = 10;
const MAX_BYTES = 100 * 1_024 ** 2;
/** Storing 100 MB takes seconds on a phone. */
const STORE_MS = 20_000;

export function receiveShare(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "POST" || pathname !== "/share") return null;
  if (isForeign(request, origin)) return Promise.resolve(Response.redirect("/share", 303));
  return limitWait(() => cacheShare(request), "failed", STORE_MS).then((problem) =>
    Response.redirect(problem ? `/share?${problem}` : "/share", 303),
  );
}

/**
 * True if another site submitted the form. A share by the system has no referrer and an `Origin`
 * that is absent or `null`. A site that hides its referrer looks the same, because a worker cannot
 * read `Sec-Fetch-Site`; so shared data is only shown, and discarded when the page is left.
 */
function isForeign({ headers, referrer }: Request, ownOrigin: string): boolean {
  const origin = headers.get("origin") ?? "null";
  const isOtherPage =
    referrer !== "" && referrer !== "about:client" && !hasOrigin(referrer, ownOrigin);
  return (origin !== "null" && origin !== ownOrigin) || isOtherPage;
}

function hasOrigin(address: string, origin: string): boolean {
  return URL.canParse(address) && new URL(address).origin === origin;
}

/**
 * @returns null once the share is stored, or the reason for a failure, as a parameter of the page's
 * address
 */
async function cacheShare(request: Request): Promise<"too-large" | null> {
  const form = await request.formData();
  const words = ["title", "text", "url"]
    .map((name) => String(form.get(name) ?? "").trim())
    .filter((word, i, all) => word !== "" && all.indexOf(word) === i);
  const text = [...words.join("\n")].slice(0, MAX_CONTENT_LENGTH).join("");
  const files = form.getAll("files").filter((part) => part instanceof File);
  await caches.delete(SHARED);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > MAX_FILES || size > MAX_BYTES) return "too-large";
  const cache = await caches.open(SHARED);
  await cache.put("/share/text", new Response(text));
  for (const [i, file] of files.entries()) {
    const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
    await cache.put(`/share/files/${i}`, new Response(file, { headers }));
  }
  return null;
}
