import {
  type DraftBody,
  type DraftCopy,
  type DraftParts,
  emptyCopy,
  NO_BODY,
  type SavedDraft,
} from "./draft-copy.ts";

/*
 * What becomes of one device's copy of a draft. No function of this file loses a text that its author has not sent
 * or discarded.
 */

export function isSameParts(a: DraftParts, b: DraftParts): boolean {
  return a.quote_id === b.quote_id && a.image?.id === b.image?.id && a.file?.id === b.file?.id;
}

const isSame = (a: DraftBody, b: DraftBody) => a.content === b.content && isSameParts(a, b);

export const isEmptyBody = (body: DraftBody) => isSame(body, NO_BODY);

/** The person has changed the draft, or has sent it: then it is empty. */
export function writeBody(copy: DraftCopy, change: Partial<DraftBody>): DraftCopy {
  return settleCopy({ ...copy, here: { ...copy.here, ...change } }, true);
}

/** Takes in the service's copy. An older one than is known changes nothing. */
export function receiveDraft(copy: DraftCopy, saved: SavedDraft, isFocused: boolean): DraftCopy {
  const knownVersion = Math.max(copy.base.version, copy.other?.version ?? 0);
  return saved.version > knownVersion ? settleCopy({ ...copy, other: saved }, isFocused) : copy;
}

/**
 * Takes over the newer copy if nothing is lost: it equals this device's, this device wrote it, or
 * nobody writes here and nothing was changed. A change made here stays even if the draft was sent
 * or cleared elsewhere. In all other cases the newer copy waits.
 */
export function settleCopy(copy: DraftCopy, isFocused: boolean): DraftCopy {
  const { here, base, sending, other } = copy;
  if (!other) return copy;
  const isOwn = isSame(other, here) || (sending !== null && isSame(other, sending));
  const isChanged = !isEmptyBody(here) && !isSame(here, base);
  if (isOwn || (isChanged && isEmptyBody(other))) return basedOn(copy, other, here);
  return isFocused || isChanged ? copy : basedOn(copy, other, other);
}

/** The draft to offer above the composer; null if there is nothing to decide. */
export function offerOf({ other }: DraftCopy): SavedDraft | null {
  return other && !isEmptyBody(other) ? other : null;
}

/**
 * The draft to save on the service; null if the service has it, or a decision is pending. A save
 * does not clear a posted draft: the message does that when it is stored.
 * @param isPosting whether the post with this id waits to be stored
 */
export function bodyToSave(
  { here, base, other, posted }: DraftCopy,
  isPosting: (clientId: string) => boolean,
): DraftBody | null {
  if (other || isSame(here, base)) return null;
  return isEmptyBody(here) && posted !== null && isPosting(posted) ? null : here;
}

/** A save begins. @param newId the draft's `client_id`, if it has none yet */
export function beginSave(copy: DraftCopy, body: DraftBody, newId: () => string): DraftCopy {
  const client_id = isEmptyBody(body) ? copy.client_id : (copy.client_id ?? newId());
  return { ...copy, client_id, sending: { ...bodyOf(body), client_id } };
}

/** The service has stored the copy that this device has sent, or had it already. */
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
   * Another device saved the service's copy: this device saves it with this `client_id` while it is
   * posted.
   */
  isForeign: boolean;
};

/**
 * The draft is posted: the statement that writes the message clears the service's copy.
 * @returns null if the service has none
 */
export function postDraft(copy: DraftCopy, newId: () => string): Posting | null {
  const { base, sending } = copy;
  if (isEmptyBody(base) && !sending) return null;
  const client_id = copy.client_id ?? newId();
  const isForeign = !isEmptyBody(base) && ![base.client_id, sending?.client_id].includes(client_id);
  return { copy: { ...copy, client_id: null, posted: client_id }, client_id, isForeign };
}

/**
 * The service has refused a save, because it has another version.
 * @param baseVersion the version on which the refused save was based; a lower one now means that
 * the service has deleted the draft since, and counts from the start
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
 * The person decides about the draft that is offered.
 * @param version of the draft that was offered; if another version is offered by now, nothing
 * changes
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
