import { effect, untracked } from "@preact/signals";
import type { File as StoredFile, Image } from "../../../src/wire/models.ts";
import {
  type DraftImage,
  type DraftAttachments,
  draftKey,
  parseDraftKey,
} from "../state/model/draft-copy.ts";
import { quoteOf } from "../state/model/message-list.ts";
import type { Upload } from "../state/composer/uploads.ts";
import { t } from "../words/translate.ts";
import { deviceDrafts, draftSync } from "./write-draft.ts";
import { store } from "./store.ts";
import { loadUploads, uploadList } from "./upload-list.ts";

type DraftUploads = Pick<DraftAttachments, "image" | "file">;

const NO_UPLOADS: DraftUploads = { image: null, file: null };

/** The uploads of each draft shown on this page, by room or thread. */
const uploadsByDraft = new Map<string, DraftUploads>();

/** Saves the page's uploads with the drafts. */
export function saveAttachments(): void {
  effect(() => {
    const list = uploadList.value;
    const drafts = draftSync.value;
    if (!drafts || store.phase.peek() !== "signed-in") return;
    for (const place of new Set([...list.map(draftKey), ...uploadsByDraft.keys()])) {
      const next = uploadsOf(list, place);
      if (isSameUploads(uploadsByDraft.get(place), next)) continue;
      uploadsByDraft.set(place, next);
      untracked(() => drafts.write(place, next));
    }
  });
}

/** Call when another person signs in. */
export function forgetAttachments(): void {
  uploadsByDraft.clear();
  awaited.clear();
  uploadList.value = [];
}

function isSameUploads(a: DraftUploads = NO_UPLOADS, b: DraftUploads): boolean {
  return a.image?.id === b.image?.id && a.file?.id === b.file?.id;
}

/** The first stored image and the first stored file, because a draft has at most one of each. */
function uploadsOf(list: Upload[], place: string): DraftUploads {
  const uploads = list.filter((upload) => draftKey(upload) === place && upload.stored);
  const first = (kind: Upload["kind"]) => uploads.find((upload) => upload.kind === kind);
  const image = first("image");
  return {
    image: image ? { ...(image.stored as Image), name: image.file.name } : null,
    file: (first("file")?.stored ?? null) as StoredFile | null,
  };
}

/** Uploads to show once the code for uploads has loaded, by room or thread. */
const awaited = new Map<string, DraftUploads>();

/** Shows the quote and uploads of a draft from another tab or device. */
export function showAttachments(place: string, { quote_id, image, file }: DraftAttachments): void {
  if (quote_id !== null) void loadQuote(place, quote_id);
  const next = { image, file };
  awaited.set(place, next);
  if (isSameUploads(uploadsByDraft.get(place), next)) return;
  // If the code for uploads fails to load, the draft keeps them, and the next page shows them.
  const later = () => awaited.get(place) === next && attach(place, next);
  if (!image && !file) attach(place, next);
  else loadUploads().then(later, () => {});
}

function attach(place: string, next: DraftUploads): void {
  const at = parseDraftKey(place);
  if (!at) return;
  const before = uploadsByDraft.get(place);
  uploadsByDraft.set(place, next);
  const nextUploads = [next.image, next.file].filter((item) => item !== null);
  const removedIds = [before?.image?.id, before?.file?.id].filter(
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
  const name = upload.name ?? t("search.image");
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

/** The quotes that are being loaded, by room or thread. */
const loadingQuotes = new Map<string, string>();

/** Loads the quoted message of a draft. If it cannot be loaded, the quote is shown as gone. */
async function loadQuote(place: string, id: string): Promise<void> {
  const drafts = deviceDrafts.peek();
  if (drafts.read(place).quote?.id === id || loadingQuotes.get(place) === id) return;
  loadingQuotes.set(place, id);
  const message = await store.call("GET /api/messages/:id", { params: { id } }).catch(() => null);
  loadingQuotes.delete(place);
  const draft = drafts.read(place);
  if (draft.here.quote_id !== id) return;
  drafts.write(place, { ...draft, quote: message ? quoteOf(message) : { id, is_gone: true } });
}
