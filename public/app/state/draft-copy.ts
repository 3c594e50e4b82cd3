/** What the service has of a draft. Content is "" where it was sent or cleared. */
export type SavedDraft = {
  version: number;
  content: string;
  /** The name of the device that wrote it. */
  device: string | null;
  /** When it was written. */
  at: string;
};

/** One device's copy of a draft. No function of this file loses a text that someone has not sent or discarded. */
export type DraftCopy = {
  /** What is written here; "" for nothing. */
  text: string;
  /** What the service had when the text was last the same, or was chosen over it. */
  base: { version: number; content: string };
  /** What was sent to the service and is not known to be stored; null for nothing. */
  sending: string | null;
  /** A newer draft of the service that was not taken over: it waits, or is offered. */
  other: SavedDraft | null;
};

export const emptyCopy: DraftCopy = {
  text: "",
  base: { version: 0, content: "" },
  sending: null,
  other: null,
};

/** The person has changed the text here, or has sent it: then it is "". */
export function writeText(copy: DraftCopy, text: string): DraftCopy {
  return settle({ ...copy, text }, true);
}

/** Takes in what the service has. What is older than what is known changes nothing. */
export function receiveDraft(copy: DraftCopy, saved: SavedDraft, isFocused: boolean): DraftCopy {
  const known = Math.max(copy.base.version, copy.other?.version ?? 0);
  return saved.version > known ? settle({ ...copy, other: saved }, isFocused) : copy;
}

/**
 * Takes over the newer draft where nothing is lost by that: its text is here already, this device wrote
 * it, or nobody writes here and nothing was changed. A text that was changed here outlives that the draft
 * was sent or cleared elsewhere. In all other cases the newer draft goes on waiting.
 */
export function settle(copy: DraftCopy, isFocused: boolean): DraftCopy {
  const { text, base, sending, other } = copy;
  if (!other) return copy;
  const isOwn = other.content === text || other.content === sending;
  const isChanged = text !== "" && text !== base.content;
  if (isOwn || (isChanged && other.content === "")) return basedOn(copy, other, text);
  return isFocused || isChanged ? copy : basedOn(copy, other, other.content);
}

/** The draft to offer above what is written; null where there is nothing to decide. */
export function offerOf({ other }: DraftCopy): SavedDraft | null {
  return other && other.content !== "" ? other : null;
}

/** What to save on the service; null while it has the text, and while a decision is waited for. */
export function textToSave({ text, base, other }: DraftCopy): string | null {
  return text === base.content || other ? null : text;
}

/** The service has stored a text of this device. */
export function confirmSaved(copy: DraftCopy, sent: string, version: number): DraftCopy {
  const { base, other } = copy;
  if (version <= base.version) return { ...copy, sending: null };
  const next = { ...copy, base: { version, content: sent }, sending: null };
  return other && other.version > version ? next : { ...next, other: null };
}

/**
 * The service has refused a text, because it has another one.
 * @param baseVersion what the refused text was based on; a lower version means that the service has
 *   forgotten the draft since, and counts from the start
 */
export function refuseSaved(
  copy: DraftCopy,
  saved: SavedDraft,
  baseVersion: number,
  isFocused: boolean,
): DraftCopy {
  const isForgotten = saved.version < baseVersion && copy.base.version === baseVersion;
  const known = isForgotten ? { ...copy, base: emptyCopy.base, other: null } : copy;
  return { ...receiveDraft(known, saved, isFocused), sending: null };
}

export type DraftChoice = "use" | "add" | "discard";

/**
 * The person decides about the draft that is offered.
 * @param version of the draft that was offered; where it is another one by now, nothing changes
 */
export function chooseDraft(copy: DraftCopy, choice: DraftChoice, version: number): DraftCopy {
  const { text, other } = copy;
  if (!other || other.version !== version) return copy;
  if (choice === "discard") return basedOn(copy, other, text);
  const both = [text, other.content].filter((part) => part !== "").join("\n");
  return basedOn(copy, other, choice === "use" ? other.content : both);
}

function basedOn(copy: DraftCopy, { version, content }: SavedDraft, text: string): DraftCopy {
  return { ...copy, text, base: { version, content }, other: null };
}
