import type { Handling } from "../src/jobs-queue/kinds.ts";
import { Shares } from "../src/platform/shares.ts";
import { bringPreview, type PreviewDeps } from "../src/previews/preview.ts";

const CONCURRENCY = 16;

/**
 * Brings a message the preview of its URL. What fails outside is remembered, not tried again; what
 * fails in our own house is. Sites may hang: one, or the links of one person, gets a share of the
 * places.
 */
export function linkPreview(deps: PreviewDeps): Handling<"link_preview"> {
  const places = new Shares(CONCURRENCY);
  return {
    concurrency: CONCURRENCY,
    run: (wanted, { signal }) => bringPreview({ ...deps, places }, wanted, signal),
  };
}
