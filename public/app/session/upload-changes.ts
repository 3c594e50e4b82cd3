import type { Upload } from "../state/composer/uploads.ts";
import { showError } from "./toasts.ts";
import { loadUploads, uploadList } from "./upload-list.ts";

/** Actions of the upload tray, as soon as the code that sends files has loaded. */
export const uploadChanges = {
  retry: (id: string) => loadUploads().then((uploads) => uploads.retry(id), showError),
  remove: (id: string) => loadUploads().then((uploads) => uploads.remove(id), showError),
  describe: (id: string, text: string) =>
    loadUploads().then((uploads) => uploads.describe(id, text), showError),
};

/** Returns uploads to the tray that could not be sent. */
export function putBackUploads(uploads: Upload[]): void {
  uploadList.value = [...uploadList.value, ...uploads];
}
