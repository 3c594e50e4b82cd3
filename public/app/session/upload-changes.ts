import type { Upload } from "../state/uploads.ts";
import { loadUploads, uploadList } from "./uploads.ts";

/** Actions of the upload tray. The code that sends files is loaded by then. */
export const uploadChanges = {
  retry: async (id: string) => (await loadUploads()).retry(id),
  remove: async (id: string) => (await loadUploads()).remove(id),
  describe: async (id: string, text: string) => (await loadUploads()).describe(id, text),
};

/** Returns uploads to the tray that could not be sent. */
export function putBackUploads(taken: Upload[]): void {
  uploadList.value = [...uploadList.value, ...taken];
}
