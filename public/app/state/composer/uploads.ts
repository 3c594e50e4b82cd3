import { type Signal, signal } from "@preact/signals";
import type { File as StoredFile, Image } from "../../../../src/wire/models.ts";
import { fillPath } from "../../../../src/snug-client/calls.ts";
import { type Api, ApiError } from "../../connection/api.ts";
import type { SendFile } from "../../connection/upload.ts";
import { isRetryable } from "../load.ts";

/** Why a file cannot be sent: refused by the service, or by a local check. Sizes are in bytes. */
export type UploadProblem =
  ApiError | { code: "over_cap"; size: number; cap: number } | { code: "empty" };

/** A file that is being uploaded for the next message in a room. */
export type Upload = {
  id: string;
  roomId: string;
  /** For a reply: the root of its thread. */
  threadId: string | null;
  kind: "image" | "file";
  /** Only the name and size if another device has uploaded the file. */
  file: File | Pick<File, "name" | "size">;
  /** The fraction of the file that has been sent, from 0 to 1. */
  progress: number;
  stored: Image | StoredFile | null;
  problem: UploadProblem | null;
  mayRetry: boolean;
};

/** The uploads of a message: at most one of each kind. */
export type Attachment = {
  image: Image | null;
  file: StoredFile | null;
  /** The same id for all messages that are sent together; null for a single message. */
  group_id: string | null;
};

/** The types that the service accepts as an image; everything else is a file. */
const IMAGE_TYPES = new Set([
  ...["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"],
  // Other names of these types.
  ...["image/jpg", "image/pjpeg", "image/apng", "image/x-png", "image/avif-sequence"],
]);
/** Refusals of an image that can still be sent as a file. */
const NO_IMAGE = new Set(["not_an_image", "image_too_big"]);
const AT_ONCE = 3;

/** The files in the composer of each room and thread, and their uploads. */
export class Uploads {
  readonly #running = new Map<string, AbortController>();
  #cap: Promise<number> | null = null;

  constructor(
    private readonly api: Api,
    private readonly send: SendFile,
    readonly list: Signal<Upload[]> = signal([]),
  ) {}

  of(roomId: string, threadId: string | null = null): Upload[] {
    return this.list.value.filter(
      (upload) => upload.roomId === roomId && upload.threadId === threadId,
    );
  }

  /** Adds files. Those over the size limit are refused before anything is sent. */
  async add(roomId: string, files: Iterable<File>, threadId: string | null = null): Promise<void> {
    const added = [...files].map((file): Upload => {
      const kind = IMAGE_TYPES.has(file.type) ? "image" : "file";
      const base = { id: crypto.randomUUID(), roomId, threadId, kind, file } as const;
      return { ...base, progress: 0, stored: null, problem: null, mayRetry: false };
    });
    this.list.value = [...this.list.value, ...added];
    const cap = await this.#readCap();
    for (const { id, file } of added) {
      if (file.size > cap) {
        this.#change(id, { problem: { code: "over_cap", size: file.size, cap } });
      } else if (file.size === 0) {
        this.#change(id, { problem: { code: "empty" } });
      }
    }
    this.#next();
  }

  retry(id: string): void {
    this.#change(id, { problem: null, progress: 0, mayRetry: false });
    this.#next();
  }

  /**
   * Cancels an upload, or removes it from the message. The service deletes stored files that are
   * not used.
   */
  remove(id: string): void {
    this.#running.get(id)?.abort();
    this.list.value = this.list.value.filter((upload) => upload.id !== id);
    this.#next();
  }

  /**
   * The uploads for the next messages: the first is sent with the text. Empties the room's list.
   */
  take(roomId: string, threadId: string | null = null): Attachment[] {
    const uploads = this.of(roomId, threadId);
    const finished = uploads.filter((upload) => upload.stored !== null);
    const images = finished.filter(({ kind }) => kind === "image");
    const files = finished.filter(({ kind }) => kind === "file");
    this.list.value = this.list.value.filter((upload) => !uploads.includes(upload));
    // One image and one file fit in one message. Several pictures form a gallery, without files
    // between them.
    if (images.length <= 1 && files.length <= 1) {
      const image = images[0]?.stored as Image | undefined;
      const file = files[0]?.stored as StoredFile | undefined;
      const isEmpty = !image && !file;
      return isEmpty ? [] : [{ image: image ?? null, file: file ?? null, group_id: null }];
    }
    const group_id = crypto.randomUUID();
    return [
      ...images.map((image) => ({ image: image.stored as Image, file: null, group_id })),
      ...files.map((file) => ({ image: null, file: file.stored as StoredFile, group_id })),
    ];
  }

  /** Sets the description of a stored image; an empty text removes it. */
  describe(id: string, text: string): void {
    const file = this.list.value.find((upload) => upload.id === id)?.stored;
    if (file && "alt" in file) this.#change(id, { stored: { ...file, alt: text.trim() || null } });
  }

  /** Call when another person signs in, or when the session ends. */
  clear(): void {
    for (const running of this.#running.values()) running.abort();
    this.list.value = [];
  }

  #next(): void {
    for (const upload of this.list.value) {
      if (this.#running.size >= AT_ONCE) return;
      if (!upload.stored && !upload.problem && !this.#running.has(upload.id))
        void this.#run(upload);
    }
  }

  async #run({ id, roomId, kind, file }: Upload): Promise<void> {
    if (!(file instanceof File)) return;
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      const path = fillPath(`POST /api/rooms/:id/${kind}s`, { params: { id: roomId } });
      const onProgress = (progress: number) => this.#change(id, { progress });
      const { signal } = running;
      const stored = (await this.api.request((headers) =>
        this.send(path, file, { headers, onProgress, signal }),
      )) as Image | StoredFile;
      this.#change(id, { stored, progress: 1 });
    } catch (error) {
      this.#failed(id, kind, error);
    }
    this.#running.delete(id);
    this.#next();
  }

  #failed(id: string, kind: Upload["kind"], error: unknown): void {
    if (!(error instanceof ApiError)) return;
    if (kind === "image" && NO_IMAGE.has(error.code))
      this.#change(id, { kind: "file", progress: 0 });
    else {
      if (error.status === 413) this.#cap = null;
      this.#change(id, { problem: error, mayRetry: isRetryable(error) });
    }
  }

  /** The current limit, loaded once; if that fails, the service refuses a file that is too large. */
  #readCap(): Promise<number> {
    this.#cap ??= this.api.call("GET /api/uploads/limit").then(
      ({ max_bytes }) => max_bytes,
      () => {
        this.#cap = null;
        return Number.POSITIVE_INFINITY;
      },
    );
    return this.#cap;
  }

  #change(id: string, change: Partial<Upload>): void {
    this.list.value = this.list.value.map((upload) =>
      upload.id === id ? { ...upload, ...change } : upload,
    );
  }
}
