import { getLogger } from "../platform/log.ts";
import type { Egress, EgressAnswer } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { smallPicture } from "../platform/images.ts";
import { Refusal } from "../platform/refusal.ts";
import { type PageHead, readPageHead } from "./page-head.ts";
import { charsetOf, readPageText } from "./page-text.ts";

const log = getLogger("previews");

const MAX_HOPS = 5;
const MAX_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const PICTURE_SIDE = 640;

const IMAGE_TYPES = new Set(["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"]);
const PAGE_TYPES = new Set(["text/html", "application/xhtml+xml"]);
/** Said to be a bot, because sites show such what is meant for previews. */
const USER_AGENT = "Snugbot/1.0 (link previews)";

/** What was found at a URL: a page, a picture by itself, or nothing that can be shown. */
export type Found =
  | { kind: "page"; head: PageHead; picture: Uint8Array | null }
  | { kind: "image" }
  | { kind: "failed"; reason: string };

/**
 * Finds out what a URL shows: at most 5 redirects, 10 seconds in all, and 1 MB of each body. What
 * lies outside is never an error here: a preview that cannot be had is `failed`.
 * @throws the reason of `signal` when it is aborted
 */
export async function findOut(egress: Egress, url: string, signal: AbortSignal): Promise<Found> {
  const deadline = performance.now() + MAX_MS;
  const get = (address: string | URL, accept: string) =>
    egress.request(address, {
      headers: { accept, "user-agent": USER_AGENT },
      redirects: MAX_HOPS,
      maxBytes: MAX_BYTES,
      timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
      signal,
    });
  try {
    const answer = await get(url, "text/html,application/xhtml+xml,image/*;q=0.9");
    const head = await readAnswer(answer);
    if (!("title" in head)) return head;
    const picture =
      head.imageUrl && (await getPicture(() => get(head.imageUrl as URL, "image/*"), signal));
    const isEmpty = head.title === null && head.description === null && picture === null;
    return isEmpty ? failed("nothing to show") : { kind: "page", head, picture };
  } catch (error) {
    signal.throwIfAborted();
    return failed(reasonOf(error));
  }
}

async function readAnswer(answer: EgressAnswer): Promise<PageHead | Found> {
  const contentType = answer.headers["content-type"] ?? "text/html";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const isGood = answer.status >= 200 && answer.status <= 299;
  if (!isGood || !PAGE_TYPES.has(type)) answer.close();
  if (!isGood) return failed(`status ${answer.status}`);
  // Its type says it all: the body is not read.
  if (IMAGE_TYPES.has(type)) return { kind: "image" };
  if (!PAGE_TYPES.has(type)) return failed(`type ${type}`);
  const text = await readPageText(upTo(answer.body), charsetOf(contentType));
  return readPageHead(text, answer.url);
}

/** A page's picture, made small; a page without one is a page all the same. */
async function getPicture(
  get: () => Promise<EgressAnswer>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const answer = await get();
    if (answer.status !== 200) {
      answer.close();
      return null;
    }
    const pieces: Buffer[] = [];
    for await (const piece of answer.body) pieces.push(piece);
    return (await smallPicture(Buffer.concat(pieces), PICTURE_SIDE)).bytes;
  } catch (error) {
    signal.throwIfAborted();
    log.debug("A preview goes without its picture.", { reason: reasonOf(error) });
    return null;
  }
}

/** A body that ends where it would be too large: the head may well be before that. */
async function* upTo(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof EgressError) || error.reason !== "too_large") throw error;
  }
}

function failed(reason: string): Found {
  return { kind: "failed", reason };
}

/** A page that our own reading stumbles over would do so again: it is a failure like any other. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressError || error instanceof Refusal) return error.message;
  log.warn("A page could not be read.", { error: String(error) });
  return "unreadable";
}
