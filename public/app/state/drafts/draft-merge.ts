import {
  type DraftBody,
  type DraftCopy,
  emptyCopy,
  isEmptyBody,
  isSameBody,
  type SavedDraft,
} from "../model/draft-copy.ts";

/* Merges the copies of a draft on this device and on the service. No function of this file loses
   a text that its author has not sent or discarded. */

/** Applies a change by the person, such as sending, which empties the draft. */
export function writeBody(copy: DraftCopy, change: Partial<DraftBody>): DraftCopy {
  return settleCopy({ ...copy, here: { ...copy.here, ...change } }, true);
}

/** Applies the service's copy. A copy older than the current one changes nothing. */
export function receiveDraft(copy: DraftCopy, saved: SavedDraft, isFocused: boolean): DraftCopy {
  const knownVersion = Math.max(copy.base.version, copy.other?.version ?? 0);
  return saved.version > knownVersion ? settleCopy({ ...copy, other: saved }, isFocused) : copy;
}

/**
 * Takes over the newer copy if nothing is lost: it equals this device's copy, this device wrote it,
 * or there is no local change and nobody is writing. A local change stays even if the draft was
 * sent or cleared elsewhere. In all other cases the newer copy waits.
 */
export function settleCopy(copy: DraftCopy, isFocused: boolean): DraftCopy {
  const { here, base, sending, other } = copy;
  if (!other) return copy;
  const isOwn = isSameBody(other, here) || (sending !== null && isSameBody(other, sending));
  const isChanged = !isEmptyBody(here) && !isSameBody(here, base);
  if (isOwn || (isChanged && isEmptyBody(other))) return basedOn(copy, other, here);
  return isFocused || isChanged ? copy : basedOn(copy, other, other);
}

/**
 * The draft to save on the service; null if the service has it, or a decision is pending. A posted
 * draft is not cleared by a save but by the message when it is stored.
 * @param isPosting whether the message with this id is waiting to be stored
 */
export function bodyToSave(
  { here, base, other, posted }: DraftCopy,
  isPosting: (clientId: string) => boolean,
): DraftBody | null {
  if (other || isSameBody(here, base)) return null;
  return isEmptyBody(here) && posted !== null && isPosting(posted) ? null : here;
}

/**
 * Marks a save as in flight.
 * @param newId the draft's `client_id`, if it has none yet
 */
export function beginSave(copy: DraftCopy, body: DraftBody, newId: () => string): DraftCopy {
  const client_id = isEmptyBody(body) ? copy.client_id : (copy.client_id ?? newId());
  return { ...copy, client_id, sending: { ...bodyOf(body), client_id } };
}

/** Applies a save that the service has confirmed, or that it already had. */
export function confirmSaved(copy: DraftCopy, body: DraftBody, version: number): DraftCopy {
  const { base, other, sending } = copy;
  if (version < base.version) return { ...copy, sending: null };
  const client_id = sending?.client_id ?? null;
  const next = { ...copy, base: { ...bodyOf(body), client_id, version }, sending: null };
  return other && other.version > version ? next : { ...next, other: null };
}

/** The `client_id` with which to post a draft, and the draft to save while it is posted. */
export type Posting = {
  copy: DraftCopy;
  client_id: string;
  /**
   * Another device saved the service's copy, so this device saves it with this `client_id` while
   * posting it.
   */
  isForeign: boolean;
};

/**
 * Marks a draft as posted: the statement that inserts the message clears the service's copy.
 * @returns null if the service has none
 */
export function postDraft(copy: DraftCopy, newId: () => string): Posting | null {
  const { base, sending, other } = copy;
  if (isEmptyBody(base) && !sending) return null;
  // The offered draft may be this device's own, from before a kill: the message must not clear it.
  const isOffered = other !== null && other.client_id === copy.client_id;
  const client_id = isOffered ? newId() : (copy.client_id ?? newId());
  const isForeign = !isEmptyBody(base) && ![base.client_id, sending?.client_id].includes(client_id);
  return { copy: { ...copy, client_id: null, posted: client_id }, client_id, isForeign };
}

/**
 * Applies a refusal: the service has another version.
 * @param baseVersion the version on which the refused save was based; if the service's version is
 * lower, it has deleted the draft since, and its versions start over
 */
export function refuseSaved(
  copy: DraftCopy,
  saved: SavedDraft,
  baseVersion: number,
  isFocused: boolean,
): DraftCopy {
  const isForgotten = saved.version < baseVersion && copy.base.version === baseVersion;
  const local = isForgotten ? { ...copy, base: emptyCopy.base, other: null } : copy;
  return { ...receiveDraft(local, saved, isFocused), sending: null };
}

export type DraftChoice = "use" | "add" | "discard";

/**
 * Applies the person's decision about the offered draft.
 * @param version of the offered draft; if another version is offered by now, nothing changes
 */
export function chooseDraft(copy: DraftCopy, choice: DraftChoice, version: number): DraftCopy {
  const { here, other } = copy;
  if (!other || other.version !== version) return copy;
  if (choice === "discard") return basedOn(copy, other, here);
  return basedOn(copy, other, choice === "use" ? other : joinBodies(here, other));
}

/** Appends one draft to another. If both have a quote, an image or a file, the first one's is used. */
export function joinBodies(first: DraftBody, second: DraftBody): DraftBody {
  return {
    content: [first.content, second.content].filter((part) => part !== "").join("\n"),
    quote_id: first.quote_id ?? second.quote_id,
    image: first.image ?? second.image,
    file: first.file ?? second.file,
  };
}

function bodyOf({ content, quote_id, image, file }: DraftBody): DraftBody {
  return { content, quote_id, image, file };
}

function basedOn(copy: DraftCopy, other: SavedDraft, here: DraftBody): DraftCopy {
  const base = { ...bodyOf(other), client_id: other.client_id, version: other.version };
  return { ...copy, here: bodyOf(here), base, other: null };
}
