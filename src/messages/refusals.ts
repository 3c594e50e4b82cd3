import { Refusal } from "../platform/refusal.ts";

/** The refusal `message_not_found`, the same for one that is hidden. */
export function makeMessageNotFound(): Refusal {
  return new Refusal("message_not_found", "There is no such message; it may have been deleted.");
}

/**
 * Refuses a message in a hidden room like one that never existed.
 * @throws Refusal `message_not_found` for `room_not_found`; any other error as it is
 */
export function hideRefusedRoom(error: unknown): never {
  if (error instanceof Refusal && error.code === "room_not_found") throw makeMessageNotFound();
  throw error;
}

/** The refusal `not_found` of an incoming webhook that was deleted, or never was. */
export function makeUnknownWebhook(): Refusal {
  return new Refusal("not_found", "There is no such webhook.");
}

/** An upload is used by the one who made it, in its room, once. */
export function makeUnknownUpload(): Refusal {
  return new Refusal(
    "unknown_upload",
    "This upload is not yours, is for another room, or was used already. Upload it again.",
  );
}

/** A reply answers a message of the same room that is there, or its thread. */
export function makeUnknownThread(): Refusal {
  return new Refusal(
    "unknown_thread",
    "The message that this replies to is not in this room, or was deleted.",
  );
}

/** The refusal `threads_off`. */
export function makeThreadsOff(): Refusal {
  return new Refusal(
    "threads_off",
    "No threads begin here. Quote the message instead, or reply in a thread that is there.",
  );
}

/** The refusal `unknown_quote`. */
export function makeUnknownQuote(): Refusal {
  return new Refusal(
    "unknown_quote",
    "The message that this quotes is not in this room, or was deleted.",
  );
}

/** The refusal `client_id_used`. */
export function makeUsedClientId(): Refusal {
  return new Refusal("client_id_used", "This client_id was used before. Take a new one.");
}
