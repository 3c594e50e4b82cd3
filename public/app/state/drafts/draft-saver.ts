import { type Api, ApiError } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { beginSave, bodyToSave, confirmSaved, refuseSaved } from "./draft-merge.ts";
import type { DraftBody, DraftCopy, StoredDraft } from "./draft-copy.ts";
import type { DraftCopies } from "./draft-copies.ts";
import { toSavedDraft } from "./draft-wire.ts";
import { readPlace } from "./place-key.ts";
import { mayPass } from "../load.ts";

type SaverDeps = {
  api: Api;
  clock: Clock;
  copies: DraftCopies;
  device: string;
  newId(): string;
  isWriting(key: string): boolean;
  /** Whether the post with this id waits to be stored. */
  isPosting(clientId: string): boolean;
};

/** The wait after the last key. */
const SAVE_AFTER_MS = 2_000;
const RETRY_AFTER_MS = 10_000;

/** Saves drafts on the service: one request at a time for each, the newest text last. */
export class DraftSaver {
  /** By key: cancels the wait before a draft is saved. */
  readonly #waits = new Map<string, () => void>();
  readonly #inFlight = new Set<string>();
  /** Drafts to save again after the request that is under way. */
  readonly #again = new Set<string>();
  #isStopped = false;

  constructor(private readonly deps: SaverDeps) {}

  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Saves a draft after a while, counted from the last call. */
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

  /** Saves a draft now. @param keepalive the page is being closed */
  async save(key: string, keepalive = false): Promise<void> {
    this.#waits.get(key)?.();
    this.#waits.delete(key);
    const { copies, newId } = this.deps;
    const body = this.dueOf(copies.read(key));
    if (!body || !readPlace(key)) return;
    if (this.#inFlight.has(key)) {
      this.#again.add(key);
      return;
    }
    const copy = copies.change(key, (now) => beginSave(now, body, newId));
    const wait = await this.#put(key, body, copy, keepalive);
    const isAgain = this.#again.delete(key);
    // Text that was written meanwhile, or did not arrive.
    if (this.dueOf(copies.read(key))) this.wait(key, wait ?? (isAgain ? 0 : SAVE_AFTER_MS));
  }

  /** Saves the draft that is being posted, so that the message clears it. */
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

  /** @returns the delay in ms before a retry; null if the service has answered */
  async #put(
    key: string,
    body: DraftBody,
    { base, sending }: DraftCopy,
    keepalive: boolean,
  ): Promise<number | null> {
    const place = readPlace(key);
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
      return mayPass(error) ? RETRY_AFTER_MS : null;
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
    } else if (!mayPass(error)) {
      const problem = error instanceof ApiError ? error.code : "internal";
      copies.change(key, (copy) => {
        const { here } = copy;
        // An upload that a message has used, or that is gone: the draft is saved without it.
        return problem === "unknown_upload" && (here.image || here.file)
          ? { ...copy, sending: null, here: { ...here, image: null, file: null } }
          : { ...copy, sending: null, problem };
      });
    }
  }
}
