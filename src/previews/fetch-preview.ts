import { getLogger } from "../platform/log.ts";
import type { Egress, EgressResponse } from "../platform/egress/egress.ts";
import { EgressError } from "../platform/egress/error.ts";
import { createThumbnail } from "../platform/images/images.ts";
import { Refusal } from "../platform/refusal.ts";
import type { PageHead } from "./page-head.ts";
import { parseCharset, readPageText } from "./page-text.ts";

const log = getLogger("previews");

const MAX_HOPS = 5;
/** Maximum number of pages that only redirect (`<meta http-equiv="refresh">`). */
const MAX_REFRESHES = 2;
const MAX_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const PICTURE_SIDE = 640;

const IMAGE_TYPES = new Set([
  ...["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"],
  // Aliases of JPEG and PNG.
  ...["image/jpg", "image/pjpeg", "image/apng", "image/x-png"],
]);
const XHTML = "application/xhtml+xml";
const PAGE_TYPES = new Set(["text/html", XHTML]);
const ACCEPTED = `text/html,${XHTML},image/*;q=0.9`;
/** Names a known bot, because some sites serve previews only to known bots. */
const USER_AGENT = "Snugbot/1.0 (link previews, as Slackbot)";

/** The content of a URL: a page, an image, or nothing to preview. */
export type FetchedContent =
  | { kind: "page"; head: PageHead; picture: Uint8Array | null }
  | { kind: "image" }
  | { kind: "failed"; reason: string };

/**
 * Fetches the content of a URL: at most 5 redirects, 10 seconds in total, and 1 MB per body. Errors of
 * the other site are not thrown; the preview is `failed`.
 * @throws the reason of `signal` when it is aborted
 */
export async function fetchPreview(
  egress: Egress,
  url: string,
  signal: AbortSignal,
): Promise<FetchedContent> {
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
    let head = await readResponse(await get(url, ACCEPTED));
    for (let i = 0; i < MAX_REFRESHES && "refreshTo" in head; i += 1) {
      head = await readResponse(await get(head.refreshTo, ACCEPTED));
    }
    if ("refreshTo" in head) return toFailure("it only leads on");
    if (!("title" in head)) return head;
    let picture: Uint8Array | null = null;
    for (const imageUrl of head.imageUrls) {
      picture ??= await fetchPicture(() => get(imageUrl, "image/*"), signal);
    }
    const isEmpty = head.title === null && head.description === null && picture === null;
    return isEmpty ? toFailure("nothing to show") : { kind: "page", head, picture };
  } catch (error) {
    signal.throwIfAborted();
    return toFailure(reasonOf(error));
  }
}

/** A page that redirects to another page. */
type Refresh = { refreshTo: URL };

async function readResponse(
  response: EgressResponse,
): Promise<PageHead | FetchedContent | Refresh> {
  const contentType = response.headers["content-type"] ?? "";
  const type = contentType.split(/[;,\s]/)[0]?.toLowerCase() ?? "";
  const isGood = response.status >= 200 && response.status <= 299;
  if (!isGood || IMAGE_TYPES.has(type)) {
    // The content type is enough; the body is not read.
    response.close();
    return isGood ? { kind: "image" } : toFailure(`status ${response.status}`);
  }
  const { start, body } = await peek(truncateBody(response.body));
  const isPage = PAGE_TYPES.has(type);
  // Other types are often wrong, so the file's signature decides.
  const isImage = !isPage && SIGNATURES.test(start);
  if (isImage || (!isPage && type !== "")) {
    response.close();
    return isImage ? { kind: "image" } : toFailure(`type ${type}`);
  }
  const isXml = type === XHTML;
  const text = await readPageText(body, parseCharset(contentType), isXml);
  // Its parser is loaded with the first preview.
  const { findRefresh, readPageHead } = await import("./page-head.ts");
  const head = readPageHead(text, response.url);
  const isBare = head.description === null && head.imageUrls.length === 0;
  const refreshTo = isBare ? findRefresh(text, response.url) : null;
  return refreshTo ? { refreshTo } : head;
}

/** Signatures of the formats in `IMAGE_TYPES`, decoded as Latin-1. */
const SIGNATURES = /^(?:\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftypavi[fs])/;
const MAX_SIGNATURE = 12;

/** Reads the start of a body as Latin-1. @returns the start, and the complete body */
async function peek(
  body: AsyncGenerator<Buffer>,
): Promise<{ start: string; body: AsyncGenerator<Buffer> }> {
  const pieces: Buffer[] = [];
  let start = "";
  while (start.length < MAX_SIGNATURE) {
    const { done, value } = await body.next();
    if (done) break;
    pieces.push(value);
    start += value.subarray(0, MAX_SIGNATURE).toString("latin1");
  }
  async function* joinChunks() {
    try {
      yield* pieces;
      yield* body;
    } finally {
      await body.return(undefined);
    }
  }
  return { start, body: joinChunks() };
}

/** Fetches a page's image and creates a thumbnail. If that fails, the page is shown without an image. */
async function fetchPicture(
  get: () => Promise<EgressResponse>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const response = await get();
    if (response.status !== 200) {
      response.close();
      return null;
    }
    const pieces: Buffer[] = [];
    for await (const piece of response.body) pieces.push(piece);
    return (await createThumbnail(Buffer.concat(pieces), PICTURE_SIDE)).bytes;
  } catch (error) {
    signal.throwIfAborted();
    log.debug(
      "The picture of a link preview could not be loaded; the preview is shown without it.",
      { reason: reasonOf(error) },
    );
    return null;
  }
}

const ENDS = new Set(["too_large", "timeout"]);

/** Ends a body that is too large or too slow, since the tags may well be in its first part. */
async function* truncateBody(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof EgressError) || !ENDS.has(error.reason)) throw error;
  }
}

function toFailure(reason: string): FetchedContent {
  return { kind: "failed", reason };
}

/** An error in parsing would recur, so it counts as a failure like any other. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressError || error instanceof Refusal) return error.message;
  log.warn("A page could not be parsed for its link preview.", { error: String(error) });
  return "unreadable";
}
