import { effect, signal } from "@preact/signals";
import type { Attachment, Upload, Uploads } from "../state/composer/uploads.ts";
import { loadRest } from "../parts/load-rest.tsx";
import { t } from "../words/translate.ts";
import { store } from "./store.ts";
import { showToast } from "./toasts.ts";

/** The uploads of all rooms and threads. */
export const uploadList = signal<Upload[]>([]);
let sender: Uploads | null = null;

export async function loadUploads(): Promise<Uploads> {
  const { Uploads, sendFile } = await loadRest();
  sender ??= createUploads(new Uploads(store.api, sendFile, uploadList));
  return sender;
}

function createUploads(created: Uploads): Uploads {
  // The next person who signs in must not see or send them.
  effect(() => {
    const phase = store.phase.value;
    if (phase === "signed-out" || phase === "replaced") created.clear();
  });
  return created;
}

/** Files that are attached to a message or being uploaded. */
export const uploads = {
  of: (roomId: string, threadId: string | null = null): Upload[] =>
    uploadList.value.filter((upload) => upload.roomId === roomId && upload.threadId === threadId),

  /** Adds files, once the code that uploads them has loaded. */
  async add(roomId: string, files: Iterable<File>, threadId: string | null = null): Promise<void> {
    // An event's file list is emptied later, so copy it.
    const added = [...files];
    const loaded = await loadUploads().catch(() => null);
    if (loaded) await loaded.add(roomId, added, threadId);
    else showToast(t("error.not-uploaded"));
  },

  /**
   * The uploads for the next messages; the first is sent with the text. Empties the list of the
   * room or thread.
   */
  take: (roomId: string, threadId: string | null = null): Attachment[] =>
    sender?.take(roomId, threadId) ?? [],
};
