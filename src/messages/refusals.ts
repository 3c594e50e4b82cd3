import { Refusal } from "../platform/refusal.ts";

/** `message_not_found`; also for a message that the viewer may not see. */
export function makeMessageNotFoundRefusal(): Refusal {
  return new Refusal("message_not_found", "There is no such message; it may have been deleted.");
}

/**
 * Maps an error so that a message in a hidden room looks like one that does not exist.
 * @throws Refusal `message_not_found` for `room_not_found`; other errors unchanged
 */
export function hideRefusedRoom(error: unknown): never {
  if (error instanceof Refusal && error.code === "room_not_found")
    throw makeMessageNotFoundRefusal();
  throw error;
}

/** `not_found` for an incoming webhook that was deleted or never existed. */
export function makeUnknownWebhookRefusal(): Refusal {
  return new Refusal("not_found", "There is no such webhook.");
}

/** An upload can be used once, by its uploader, in its room. */
export function makeUnknownUploadRefusal(): Refusal {
  const detail =
    "This upload is not yours, is for another room, or was used already. Upload it again.";
  return new Refusal("unknown_upload", detail);
}

/** The target of a reply must be an existing message of the same room. */
export function makeUnknownThreadRefusal(): Refusal {
  const detail = "The message that this replies to is not in this room, or was deleted.";
  return new Refusal("unknown_thread", detail);
}

export function makeThreadsOffRefusal(): Refusal {
  const detail =
    "Threads cannot be started here. Quote the message instead, or reply in an existing thread.";
  return new Refusal("threads_off", detail);
}

export function makeUnknownQuoteRefusal(): Refusal {
  const detail = "The message that this quotes is not in this room, or was deleted.";
  return new Refusal("unknown_quote", detail);
}

export function makeUsedClientIdRefusal(): Refusal {
  return new Refusal("client_id_used", "This client_id was already used. Use a new one.");
}
