import type { File as StoredFile, Image, Quote, RoomRef } from "../../../../src/wire/models.ts";

/** The room or conversation of a draft, and its thread if any. */
export type DraftTarget = { roomId: string; threadId: string | null };

/**
 * The service does not store the name of an image; the device that uploaded it remembers the name.
 */
export type DraftImage = Image & { name?: string };

export type DraftAttachments = {
  quote_id: string | null;
  image: DraftImage | null;
  file: StoredFile | null;
};
/** The content of a draft: "" if it has no text. */
export type DraftBody = DraftAttachments & { content: string };

/** The `client_id` with which it will be posted, so that posting it clears the draft. */
export type Named = DraftBody & { client_id: string | null };

/** The service's copy of a draft; empty if it was sent or cleared. */
export type SavedDraft = Named & {
  version: number;
  device: string | null;
  at: string;
};

export type DraftCopy = {
  /** The local content. */
  here: DraftBody;
  /** The service's copy when the local copy last equalled it, or was chosen instead of it. */
  base: Named & { version: number };
  /** The copy that was sent to the service and is not confirmed; null if nothing awaits confirmation. */
  sending: Named | null;
  /** A newer copy from the service that was not taken over: it waits, or is offered. */
  other: SavedDraft | null;
  /**
   * The `client_id` with which this copy will be posted; null until it is first saved. No other
   * device uses the same.
   */
  client_id: string | null;
  /**
   * The `client_id` of the last post: until that message is stored, the service still has the
   * draft.
   */
  posted: string | null;
};

export const NO_ATTACHMENTS: DraftAttachments = { quote_id: null, image: null, file: null };
export const NO_BODY: DraftBody = { content: "", ...NO_ATTACHMENTS };

export const emptyCopy: DraftCopy = {
  here: NO_BODY,
  base: { ...NO_BODY, client_id: null, version: 0 },
  sending: null,
  other: null,
  client_id: null,
  posted: null,
};

/** Facts about a draft that merging does not need. */
export type DraftFacts = {
  /** When it was last written here. */
  at: string;
  /** The room's name on the service; null if I am no longer in it, or it is unknown. */
  room: RoomRef | null;
  /** Why the service refuses it, so that it is only on this device. */
  problem: string | null;
  /** The quoted message, as last loaded. */
  quote: Quote | null;
};

export type StoredDraft = DraftCopy &
  DraftFacts & {
    /** How many times its text was changed in this browser; 0 if nothing is stored. */
    edit: number;
  };

/** A draft of this device without its content. */
export type DraftMark = DraftTarget & {
  key: string;
  hasText: boolean;
  /** Whether it has neither a text nor an upload or a quote. */
  isEmpty: boolean;
  /** Another device's draft that is offered as an alternative. */
  offer: SavedDraft | null;
  room: RoomRef | null;
  /** Why the service refuses it; null if it is not refused. */
  problem: string | null;
};

export const emptyDraft: StoredDraft = {
  ...emptyCopy,
  at: "",
  room: null,
  problem: null,
  quote: null,
  edit: 0,
};

/** The quoted message of a draft; null without one, and until it is loaded. */
export const quoteOfDraft = ({ here, quote }: StoredDraft): Quote | null =>
  quote?.id === here.quote_id ? quote : null;

export function isSameAttachments(a: DraftAttachments, b: DraftAttachments): boolean {
  return a.quote_id === b.quote_id && a.image?.id === b.image?.id && a.file?.id === b.file?.id;
}

export const isSameBody = (a: DraftBody, b: DraftBody) =>
  a.content === b.content && isSameAttachments(a, b);

export const isEmptyBody = (body: DraftBody) => isSameBody(body, NO_BODY);

/** The draft to offer above the composer; null if there is nothing to decide. */
export function offerOf({ other }: DraftCopy): SavedDraft | null {
  return other && !isEmptyBody(other) ? other : null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The key of a draft among those of one person. A conversation that does not exist yet has no id on
 * the service.
 */
export const draftKey = ({ roomId, threadId }: DraftTarget) =>
  threadId ? `${roomId}.${threadId}` : roomId;

/** @returns null for a conversation that does not exist yet */
export function parseDraftKey(key: string): DraftTarget | null {
  const [roomId = "", threadId = null] = key.split(".");
  return UUID.test(roomId) ? { roomId, threadId } : null;
}
