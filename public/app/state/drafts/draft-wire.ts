import type { Problem } from "../../../../src/wire/codes.ts";
import type { DraftCopy as WireDraft } from "../../../../src/wire/drafts.ts";
import type { SavedDraft } from "./draft-copy.ts";
import type { DraftPlace } from "./place-key.ts";

/** A draft of the service, in the form of the copies. */
export function toSavedDraft(draft: WireDraft | NonNullable<Problem["draft"]>): SavedDraft {
  const { content, quote_id, image, file, client_id, version, device, updated_at: at } = draft;
  return {
    content: content ?? "",
    quote_id,
    image,
    file,
    client_id,
    version,
    device,
    at,
  };
}

export function toPlace({ room_id, thread_id }: WireDraft): DraftPlace {
  return { roomId: room_id, threadId: thread_id };
}
