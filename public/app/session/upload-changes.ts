import type { Upload } from "../state/composer/uploads.ts";
import { showError } from "./toasts.ts";
import { loadUploads, uploadList } from "./upload-list.ts";

/** The actions of the upload tray. They wait for the code that uploads files. */
export const uploadChanges = {
  retry: (id: string) => loadUploads().then((uploads) => uploads.retry(id), showError),
  remove: (id: string) => loadUploads().then((uploads) => uploads.remove(id), showError),
  describe: (id: string, text: string) =>
    loadUploads().then((uploads) => uploads.describe(id, text), showError),
};

/** Puts uploads that could not be sent back into the tray. */
export function putBackUploads(uploads: Upload[]): void {
  uploadList.value = [...uploadList.value, ...uploads];
}
