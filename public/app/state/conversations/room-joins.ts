import type { Frame } from "../../../../src/wire/frames.ts";
import type { Clock } from "../../connection/clock.ts";
import type { RoomView } from "../model/model.ts";

type RoomJoinsDeps = { clock: Clock; send(frame: Frame): boolean };

const RETRY_MS = 1_000;

/** Sends the joins of one room after another. */
export class RoomJoins {
  /** A join was sent, and is not answered yet. */
  isPending = false;
  /** Whether the last join had a number, so that missed events follow it. */
  hadNumber = false;
  #cancelRetry: () => void = () => {};

  constructor(private readonly deps: RoomJoinsDeps) {}

  /**
   * Joins with the last known number, if the history is loaded.
   * @returns false without a connection
   */
  send(room_id: string, { seq, loaded }: Pick<RoomView, "seq" | "loaded">): boolean {
    const since = loaded && seq !== null ? { seq } : {};
    this.hadNumber = "seq" in since;
    this.isPending = this.deps.send({ type: "join", room_id, ...since });
    return this.isPending;
  }

  /**
   * Joins again a moment after a refusal, even if an earlier join has succeeded meanwhile: joining twice
   * changes nothing.
   */
  retryLater(join: () => void): void {
    this.#cancelRetry();
    this.#cancelRetry = this.deps.clock.after(RETRY_MS, join);
  }

  /** Leaves the room, and waits for no answer and retries nothing. */
  cancel(): void {
    this.isPending = false;
    this.#cancelRetry();
  }
}
