import { effect, untracked } from "@preact/signals";
import type { File as StoredFile, Image } from "../../../src/wire/models.ts";
import {
  type DraftImage,
  type DraftAttachments,
  isSameAttachments,
  NO_ATTACHMENTS,
  draftKey,
  parseDraftKey,
} from "../state/model/draft-copy.ts";
import { quoteOf } from "../state/model/message-list.ts";
import type { Upload } from "../state/composer/uploads.ts";
import { t } from "../words/translate.ts";
import { draftSync } from "./write-draft.ts";
import { quoteIn, quotes, setQuote } from "./quoting.ts";
import { store } from "./store.ts";
import { loadUploads, uploadList } from "./upload-list.ts";

/** The quote and uploads of each draft shown on this page, by room or thread. */
const attachmentsByDraft = new Map<string, DraftAttachments>();

/** Saves the page's quotes and uploads with the drafts. */
export function saveAttachments(): void {
  effect(() => {
    const [quoted, list] = [quotes.value, uploadList.value];
    const drafts = draftSync.value;
    if (!drafts || store.phase.peek() !== "signed-in") return;
    const places = new Set([
      ...Object.keys(quoted),
      ...list.map(draftKey),
      ...attachmentsByDraft.keys(),
    ]);
    for (const place of places) {
      const before = attachmentsByDraft.get(place) ?? NO_ATTACHMENTS;
      const quote = quoted[place];
      const quote_id = quote === undefined ? before.quote_id : (quote?.id ?? null);
      const next = { ...attachmentsOf(list, place), quote_id };
      if (isSameAttachments(before, next)) continue;
      attachmentsByDraft.set(place, next);
      untracked(() => drafts.write(place, next));
    }
  });
}

/** Call when another person signs in. */
export function forgetAttachments(): void {
  attachmentsByDraft.clear();
  awaited.clear();
  uploadList.value = [];
  quotes.value = {};
}

/** The first stored image and the first stored file, because a draft has at most one of each. */
function attachmentsOf(list: Upload[], place: string): Omit<DraftAttachments, "quote_id"> {
  const uploads = list.filter((upload) => draftKey(upload) === place && upload.stored);
  const first = (kind: Upload["kind"]) => uploads.find((upload) => upload.kind === kind);
  const image = first("image");
  return {
    image: image ? { ...(image.stored as Image), name: image.file.name } : null,
    file: (first("file")?.stored ?? null) as StoredFile | null,
  };
}

/** Quotes and uploads to show once the code for uploads has loaded, by room or thread. */
const awaited = new Map<string, DraftAttachments>();

/** Shows the quote and uploads of a draft from another tab or device. */
export function showAttachments(place: string, { quote_id, image, file }: DraftAttachments): void {
  const next = { quote_id, image, file };
  awaited.set(place, next);
  if (isSameAttachments(attachmentsByDraft.get(place) ?? NO_ATTACHMENTS, next)) return;
  if (!image && !file) show(place, next);
  else {
    const later = () => awaited.get(place) === next && show(place, next);
    // If the code for uploads fails to load, the draft keeps them, and the next page shows them.
    loadUploads().then(later, () => {});
  }
}

function show(place: string, next: DraftAttachments): void {
  const before = attachmentsByDraft.get(place) ?? NO_ATTACHMENTS;
  attachmentsByDraft.set(place, next);
  if (next.quote_id !== before.quote_id) void loadQuote(place, next.quote_id);
  if (next.image?.id !== before.image?.id || next.file?.id !== before.file?.id) {
    attach(place, before, next);
  }
}

function attach(place: string, before: DraftAttachments, next: DraftAttachments): void {
  const at = parseDraftKey(place);
  if (!at) return;
  const nextUploads = [next.image, next.file].filter((item) => item !== null);
  const removedIds = [before.image?.id, before.file?.id].filter(
    (id) => id !== undefined && !nextUploads.some((item) => item.id === id),
  );
  const here = uploadList.peek().filter((upload) => draftKey(upload) === place);
  const added = nextUploads.filter((item) => !here.some(({ stored }) => stored?.id === item.id));
  uploadList.value = [
    ...added.map((upload) => toUpload(at.roomId, at.threadId, upload)),
    ...uploadList
      .peek()
      .filter((upload) => draftKey(upload) !== place || !removedIds.includes(upload.stored?.id)),
  ];
}

function toUpload(
  roomId: string,
  threadId: string | null,
  upload: DraftImage | StoredFile,
): Upload {
  const isFile = !("width" in upload);
  const name = upload.name ?? t("drafts.image");
  return {
    id: crypto.randomUUID(),
    roomId,
    threadId,
    kind: isFile ? "file" : "image",
    file: { name, size: upload.size_bytes },
    stored: upload,
    progress: 1,
    problem: null,
    mayRetry: false,
  };
}

/** Shows the quoted message. If it cannot be loaded, the quote is shown as gone. */
async function loadQuote(place: string, id: string | null): Promise<void> {
  if (quoteIn(place)?.id === id) return;
  if (id === null) {
    setQuote(place, null);
    return;
  }
  const message = await store.call("GET /api/messages/:id", { params: { id } }).catch(() => null);
  if (attachmentsByDraft.get(place)?.quote_id !== id) return;
  setQuote(place, message ? quoteOf(message) : { id, is_gone: true });
}
