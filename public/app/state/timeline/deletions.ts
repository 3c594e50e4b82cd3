import { type Signal, signal } from "@preact/signals";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";

const UNDO_MS = 5_000;

/** Deletions that can still be undone: the message is hidden, and deleted when the time is up. */
export class Deletions {
  /** The ids of messages that are hidden. */
  readonly hidden: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #cancels = new Map<string, () => void>();

  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  begin(messageId: string): void {
    this.#show(messageId, false);
    const cancel = this.clock.after(UNDO_MS, () => void this.#finish(messageId, false));
    this.#cancels.set(messageId, cancel);
  }

  undo(messageId: string): void {
    this.#cancels.get(messageId)?.();
    this.#cancels.delete(messageId);
    this.#show(messageId, true);
  }

  /** The page is being closed: no deletion can be undone any more. */
  flush(): void {
    for (const [messageId, cancel] of this.#cancels) {
      cancel();
      void this.#finish(messageId, true);
    }
  }

  async #finish(messageId: string, keepalive: boolean): Promise<void> {
    this.#cancels.delete(messageId);
    try {
      await this.api.call("DELETE /api/messages/:id", { params: { id: messageId } }, { keepalive });
    } catch (error) {
      this.#show(messageId, true);
      this.onFailure(error);
    }
  }

  #show(messageId: string, isVisible: boolean): void {
    const hidden = new Set(this.hidden.value);
    if (isVisible) hidden.delete(messageId);
    else hidden.add(messageId);
    this.hidden.value = hidden;
  }
}
