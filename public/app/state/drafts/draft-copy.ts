import type { File as StoredFile, Image, RoomRef } from "../../../../src/wire/models.ts";

/** The quote, and the stored image and file of a draft. */
export type DraftParts = {
  quote_id: string | null;
  image: Image | null;
  file: StoredFile | null;
};
/** The content of a draft: "" where there is no text. */
export type DraftBody = DraftParts & { content: string };

/** The `client_id` with which it will be posted, so that posting it clears the draft. */
export type Named = DraftBody & { client_id: string | null };

/** The service's copy of a draft; empty if it was sent or cleared. */
export type SavedDraft = Named & {
  version: number;
  /** The name of the device that wrote it. */
  device: string | null;
  /** When it was written. */
  at: string;
};

/** One device's copy of a draft. */
export type DraftCopy = {
  /** What is written here. */
  here: DraftBody;
  /** The service's copy when this device's was last the same, or was preferred to it. */
  base: Named & { version: number };
  /** The copy that was sent to the service and is not confirmed; null after it was confirmed. */
  sending: Named | null;
  /** A newer copy of the service that was not taken over: it waits, or is offered. */
  other: SavedDraft | null;
  /**
   * The `client_id` with which this copy will be posted; null until it is first saved. No other
   * device uses the same.
   */
  client_id: string | null;
  /** The `client_id` of the last post: while it waits to be stored, the service still has the draft. */
  posted: string | null;
};

export const NO_PARTS: DraftParts = { quote_id: null, image: null, file: null };
export const NO_BODY: DraftBody = { content: "", ...NO_PARTS };

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
  /** The room's name on the service; null if I am no longer in it, or it is not known. */
  room: RoomRef | null;
  /** Why the service refuses it: it is only on this device. */
  problem: string | null;
};

export type StoredDraft = DraftCopy &
  DraftFacts & {
    /** How often its text was changed in this browser; 0 if nothing is stored. */
    edit: number;
  };

export const emptyDraft: StoredDraft = {
  ...emptyCopy,
  at: "",
  room: null,
  problem: null,
  edit: 0,
};
