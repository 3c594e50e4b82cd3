import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { DraftCopy as WireDraft } from "../../../../src/wire/drafts.ts";
import {
  beginSave,
  bodyToSave,
  chooseDraft,
  confirmSaved,
  type DraftChoice,
  joinBodies,
  postDraft,
  receiveDraft,
  refuseSaved,
  settleCopy,
  writeBody,
} from "./draft-merge.ts";
import {
  type DraftBody,
  type DraftCopy,
  type DraftFacts,
  type DraftAttachments,
  type DraftTarget,
  emptyCopy,
  emptyDraft,
  isEmptyBody,
  isSameAttachments,
  isSameBody,
  NO_BODY,
  NO_ATTACHMENTS,
  draftKey,
  parseDraftKey,
  type SavedDraft,
  type StoredDraft,
} from "../model/draft-copy.ts";
import { Load, isRetryable } from "../load.ts";
import { type Api, ApiError } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Problem } from "../../../../src/wire/codes.ts";
import type { DeviceDrafts } from "./device-drafts.ts";

/** How long the service remembers that a draft was sent or cleared: a month. */
const TOMBSTONES_MS = 31 * 86_400_000;

/** Saves this device's drafts on the service, and takes over those of other devices. */
export class DraftSync {
  readonly #load: Load<WireDraft[]>;
  readonly #copies: DraftCopies;
  readonly #saver: DraftSaver;
  /** The base versions of the drafts at the time the list was requested. */
  #asked = new Map<string, DraftCopy["base"]>();

  constructor(private readonly deps: DraftSyncDeps) {
    const { api, clock } = deps;
    this.#copies = new DraftCopies(deps);
    this.#saver = new DraftSaver({ ...deps, copies: this.#copies });
    this.#load = new Load({
      clock,
      fetch: async (signal) => {
        this.#asked = new Map(this.#copies.keys().map((key) => [key, this.#copies.read(key).base]));
        // Includes drafts that were cleared while this device was offline.
        const after = new Date(clock.now() - TOMBSTONES_MS).toISOString();
        const query = { after };
        return (await api.call("GET /api/drafts", { query }, { signal })).items;
      },
      merge: (drafts) => this.#mergeAll(drafts),
    });
  }

  /**
   * Loads the service's drafts, and saves those it does not have, because changes may have been
   * missed.
   */
  load(): void {
    this.#load.refreshNow();
  }

  stop(): void {
    this.#load.cancel();
    this.#copies.stop();
    this.#saver.stop();
  }

  onEvent(event: ServerEvent): void {
    if (event.type === "draft") this.#changed(event);
    // Drafts of rooms that I have left are hidden until I rejoin.
    else if (["hello", "room_added", "room_removed"].includes(event.type)) this.load();
  }

  /** Applies another device's change to a draft. */
  #changed(draft: WireDraft): void {
    // The room was deleted, and its draft with it.
    if (draft.version === 0) this.#forget(draftKey(toPlace(draft)));
    else this.#receive(draft);
  }

  /** Call when the person has changed the text, the quote or the uploads of a draft on this page. */
  write(key: string, change: Partial<DraftBody>, facts: Partial<DraftFacts> = {}): void {
    const at = new Date(this.deps.clock.now()).toISOString();
    const { here } = this.#copies.change(key, (copy) => ({
      ...writeBody(copy, change),
      at,
      problem: null,
      ...facts,
    }));
    if (!parseDraftKey(key)) return;
    this.#saver.wait(key, isEmptyBody(here) ? 0 : undefined);
  }

  /**
   * Call when the person sends the draft, before its text is cleared.
   * @returns the `client_id` to post it with, so that the message clears the draft; null if the
   * service has none
   */
  post(key: string): { client_id: string; clears_draft: true } | null {
    if (!parseDraftKey(key)) return null;
    const before = this.#copies.read(key);
    const posting = postDraft(before, this.deps.newId);
    if (!posting) return null;
    const { copy, client_id, isForeign } = posting;
    this.#copies.change(key, (now) => ({ ...now, ...copy }));
    if (isForeign) void this.#saver.name(key, before.here, client_id);
    return { client_id, clears_draft: true };
  }

  /**
   * Call when a message may have been stored or discarded: the rest of its draft is then cleared
   * after a delay.
   */
  followPosted(): void {
    for (const key of this.#copies.keys()) {
      const copy = this.#copies.read(key);
      if (copy.posted !== null && this.#saver.dueOf(copy)) this.#saver.wait(key);
    }
  }

  /** Call when nobody is writing the draft any more. */
  left(key: string): void {
    if (!parseDraftKey(key)) return;
    this.#copies.change(key, (copy) => settleCopy(copy, this.deps.isWriting(key)));
    void this.#saver.save(key);
  }

  /**
   * Whether every draft of this device is on the service, was refused by it, or waits for a
   * decision.
   */
  isSaved(): boolean {
    const keys = this.#copies.keys();
    return (
      !this.#saver.isBusy && !keys.some((key) => this.#saver.dueOf(this.#copies.read(key)) !== null)
    );
  }

  /** Saves everything now, because the page is hidden or closed, or the person signs out. */
  async flush(): Promise<void> {
    await Promise.all(this.#copies.keys().map((key) => this.#saver.save(key, true)));
  }

  /** Applies the person's decision about the offered draft. */
  choose(key: string, choice: DraftChoice, version: number): void {
    this.#copies.change(key, (copy) => chooseDraft(copy, choice, version));
    void this.#saver.save(key);
  }

  /** Empties a draft in a list of drafts. */
  clear(key: string): void {
    this.#copies.change(key, (copy) => writeBody(copy, NO_BODY));
    void this.#saver.save(key);
  }

  /** Appends a discarded or replaced draft to the text. */
  append(key: string, body: DraftBody): void {
    this.#copies.change(key, (copy) => writeBody(copy, joinBodies(copy.here, body)));
    void this.#saver.save(key);
  }

  #mergeAll(drafts: WireDraft[]): void {
    const listedKeys = new Set(drafts.map((draft) => draftKey(toPlace(draft))));
    for (const draft of drafts) this.#receive(draft, true);
    for (const key of this.#copies.keys()) {
      const { base } = this.#copies.read(key);
      const isKnown = this.#asked.get(key)?.version === base.version;
      // The service had the draft, which was neither sent nor cleared, so it was deleted with its
      // room or because of its age.
      if (isKnown && !isEmptyBody(base) && !listedKeys.has(key)) {
        const place = parseDraftKey(key);
        if (place && !this.deps.hasRoom(place.roomId)) this.#forget(key);
        else this.#copies.change(key, (copy) => ({ ...copy, base: emptyCopy.base }));
      }
      // A refused draft may be accepted now.
      this.#copies.change(key, (copy) => ({ ...copy, problem: null }));
      void this.#saver.save(key);
    }
  }

  #forget(key: string): void {
    const text = this.#copies.forget(key);
    if (text !== "") this.deps.onDeleted(text);
  }

  /** @param isListed false for a draft that changes now, true for the list of all drafts */
  #receive(draft: WireDraft, isListed = false): void {
    const saved = toSavedDraft(draft);
    const { room } = draft;
    const key = draftKey(toPlace(draft));
    this.#copies.change(key, (copy) => {
      // An empty composer has the focus from the start.
      const isUntouched = isListed && isEmptyBody(copy.here) && isEmptyBody(copy.base);
      const next = receiveDraft(copy, saved, this.deps.isWriting(key) && !isUntouched);
      return { ...next, room, ...(!isSameBody(next.here, copy.here) && { at: saved.at }) };
    });
  }
}

type SaverDeps = {
  api: Api;
  clock: Clock;
  copies: DraftCopies;
  device: string;
  newId(): string;
  isWriting(key: string): boolean;
  /** Whether the message with this id is waiting to be stored. */
  isPosting(clientId: string): boolean;
};

/** The delay after the last key press. */
const SAVE_AFTER_MS = 2_000;
const RETRY_AFTER_MS = 10_000;

/** Saves drafts on the service, with one request at a time for each draft. */
class DraftSaver {
  /** Functions that cancel the delay before a draft is saved, by key. */
  readonly #waits = new Map<string, () => void>();
  readonly #inFlight = new Set<string>();
  /** Drafts to save again after the request in flight. */
  readonly #again = new Set<string>();
  #isStopped = false;

  constructor(private readonly deps: SaverDeps) {}

  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Saves a draft after a delay, which starts again with each call. */
  wait(key: string, ms = SAVE_AFTER_MS): void {
    if (this.#isStopped) return;
    this.#waits.get(key)?.();
    const save = () => void this.save(key);
    this.#waits.set(key, this.deps.clock.after(ms, save));
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
  }

  /** The draft to save now; null if there is nothing to save, or the service has refused it. */
  dueOf(copy: StoredDraft): DraftBody | null {
    return copy.problem === null ? bodyToSave(copy, this.deps.isPosting) : null;
  }

  /**
   * Saves a draft now.
   * @param keepalive whether the page is being closed
   */
  async save(key: string, keepalive = false): Promise<void> {
    this.#waits.get(key)?.();
    this.#waits.delete(key);
    const { copies, newId } = this.deps;
    const body = this.dueOf(copies.read(key));
    if (!body || !parseDraftKey(key)) return;
    if (this.#inFlight.has(key)) {
      this.#again.add(key);
      return;
    }
    const copy = copies.change(key, (now) => beginSave(now, body, newId));
    const wait = await this.#put(key, body, copy, keepalive);
    const isAgain = this.#again.delete(key);
    // The text has changed since, or the request failed.
    if (this.dueOf(copies.read(key))) this.wait(key, wait ?? (isAgain ? 0 : SAVE_AFTER_MS));
  }

  /**
   * Saves the draft under the `client_id` with which it is being posted, so that the message clears
   * it.
   */
  async name(key: string, body: DraftBody, client_id: string): Promise<void> {
    if (this.#inFlight.has(key)) return;
    const copy = this.deps.copies.change(key, (now) => ({
      ...now,
      sending: { ...body, client_id },
    }));
    await this.#put(key, body, copy, false);
    this.#again.delete(key);
    if (this.dueOf(this.deps.copies.read(key))) this.wait(key);
  }

  /** @returns the delay in ms before a retry; null if the service has responded */
  async #put(
    key: string,
    body: DraftBody,
    { base, sending }: DraftCopy,
    keepalive: boolean,
  ): Promise<number | null> {
    const place = parseDraftKey(key);
    if (!place) return null;
    const { api, device, copies } = this.deps;
    const { content, quote_id, image, file } = body;
    const call = {
      room_id: place.roomId,
      thread_id: place.threadId,
      base_version: base.version,
      content: content || null,
      quote_id,
      device,
      client_id: sending?.client_id ?? null,
      image_id: image?.id ?? null,
      file_id: file?.id ?? null,
    };
    this.#inFlight.add(key);
    try {
      const { version } = await api.call("PUT /api/drafts", { body: call }, { keepalive });
      copies.change(key, (now) => confirmSaved(now, body, version));
      return null;
    } catch (error) {
      this.#failed(key, base.version, error);
      return isRetryable(error) ? RETRY_AFTER_MS : null;
    } finally {
      this.#inFlight.delete(key);
    }
  }

  #failed(key: string, baseVersion: number, error: unknown): void {
    const { isWriting, copies } = this.deps;
    const other = error instanceof ApiError ? error.draft : null;
    if (other) {
      const saved = toSavedDraft(other);
      copies.change(key, (copy) => refuseSaved(copy, saved, baseVersion, isWriting(key)));
    } else if (!isRetryable(error)) {
      const problem = error instanceof ApiError ? error.code : "internal";
      copies.change(key, (copy) => {
        const { here } = copy;
        // The upload was used by a message or no longer exists, so save the draft without it.
        return problem === "unknown_upload" && (here.image || here.file)
          ? { ...copy, sending: null, here: { ...here, image: null, file: null } }
          : { ...copy, sending: null, problem };
      });
    }
  }
}

type DraftSyncDeps = {
  api: Api;
  clock: Clock;
  drafts: DeviceDrafts;
  /** The name of this device, stored with its drafts. */
  device: string;
  newId(): string;
  /**
   * Whether the draft is being written in any tab of this browser; its text is then not replaced.
   */
  isWriting(key: string): boolean;
  /** Whether the message with this id is waiting to be stored. */
  isPosting(clientId: string): boolean;
  /**
   * Called when another device, another tab or the choice of a draft may have changed the quote or
   * uploads of a draft.
   */
  onAttachments(key: string, attachments: DraftAttachments): void;
  /** Whether I am in a room, as far as this page knows. */
  hasRoom(roomId: string): boolean;
  /** Called when a draft was deleted with its room. */
  onDeleted(text: string): void;
};

type CopiesDeps = Pick<DraftSyncDeps, "drafts" | "onAttachments">;

/** The drafts of this browser that the service may have, with changes by the service. */
class DraftCopies {
  readonly #stopWatching: () => void;
  #isStopped = false;

  constructor(private readonly deps: CopiesDeps) {
    const { drafts, onAttachments } = deps;
    this.#stopWatching = drafts.watch((key) => {
      if (parseDraftKey(key)) onAttachments(key, this.read(key).here);
    });
    for (const key of this.keys()) {
      const { here } = this.read(key);
      if (!isSameAttachments(here, NO_ATTACHMENTS)) onAttachments(key, here);
    }
  }

  /** Stops storing, because a late response may belong to someone who has signed out. */
  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
  }

  /** The keys of all drafts of existing rooms and threads, including sent and cleared ones. */
  keys(): string[] {
    return this.deps.drafts.keys().filter((key) => parseDraftKey(key) !== null);
  }

  read(key: string): StoredDraft {
    return this.deps.drafts.read(key);
  }

  /** @returns the copy after the change */
  change(key: string, edit: (now: StoredDraft) => DraftCopy & Partial<DraftFacts>): StoredDraft {
    const before = this.read(key);
    const next = { ...before, ...edit(before) };
    if (this.#isStopped || JSON.stringify(next) === JSON.stringify(before)) return before;
    this.deps.drafts.write(key, next);
    return next;
  }

  /** @returns the previous text */
  forget(key: string): string {
    const { content } = this.read(key).here;
    this.deps.drafts.write(key, emptyDraft);
    return content;
  }
}

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

function toPlace({ room_id, thread_id }: WireDraft): DraftTarget {
  return { roomId: room_id, threadId: thread_id };
}
