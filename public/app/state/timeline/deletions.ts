import type { Api, CallOptions } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { withHidden } from "../personal/personal.ts";
import type { Change } from "../pending-changes.ts";

const UNDO_MS = 5_000;

type DeletionsDeps = {
  api: Api;
  clock: Clock;
  change(change: Change, work: () => Promise<void>): Promise<void>;
  onFailure(error: unknown): void;
};

/**
 * Deletions that can still be undone: the message is hidden, and deleted when the delay is over.
 */
export class Deletions {
  /** By message: a function that ends the delay, with or without the call. */
  readonly #ends = new Map<string, (end: CallOptions | "undo") => void>();

  constructor(private readonly deps: DeletionsDeps) {}

  begin(messageId: string): void {
    const { api, clock, change, onFailure } = this.deps;
    const { promise, resolve } = Promise.withResolvers<CallOptions | "undo">();
    const cancel = clock.after(UNDO_MS, () => resolve({}));
    this.#ends.set(messageId, (end) => {
      cancel();
      resolve(end);
    });
    const finish = async () => {
      const end = await promise;
      this.#ends.delete(messageId);
      if (end === "undo") return;
      await api.call("DELETE /api/messages/:id", { params: { id: messageId } }, end);
    };
    change((state) => withHidden(state, messageId), finish).catch(onFailure);
  }

  undo(messageId: string): void {
    this.#ends.get(messageId)?.("undo");
  }

  /** Deletes now, because the page is being closed. */
  flush(): void {
    for (const end of this.#ends.values()) end({ keepalive: true });
  }
}
