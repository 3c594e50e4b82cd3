import { localStore, storeIfSpace } from "../connection/storage.ts";

const KEY = "snug.members";

/** Whether rooms open with their members on this device, because the reader left them open. */
export const areMembersShown = () => localStore.getItem(KEY) !== null;

export function showMembers(isShown: boolean): void {
  storeIfSpace(localStore, KEY, isShown ? "1" : null);
}
