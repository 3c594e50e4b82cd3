import type { Handler } from "../src/jobs-queue/kinds.ts";
import { bringPreview, type PreviewDeps } from "../src/previews/preview.ts";

/**
 * Brings a message the preview of its URL. What fails outside is remembered, not tried again; what
 * fails in our own house is.
 */
export function linkPreview(deps: PreviewDeps): Handler<"link_preview"> {
  return (wanted, { signal }) => bringPreview(deps, wanted, signal);
}
