import type { Upload } from "../state/uploads.ts";
import { loadUploads, uploadList } from "./uploads.ts";

/** What is done in the tray: what sends the files is loaded already. */
export const uploadChanges = {
  retry: async (id: string) => (await loadUploads()).retry(id),
  remove: async (id: string) => (await loadUploads()).remove(id),
  describe: async (id: string, text: string) => (await loadUploads()).describe(id, text),
};

/** Puts back what was taken and could not be sent. */
export function putBackUploads(taken: Upload[]): void {
  uploadList.value = [...uploadList.value, ...taken];
}
