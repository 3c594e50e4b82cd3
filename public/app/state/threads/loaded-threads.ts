import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { State } from "../model/model.ts";
import { MyThreads } from "./my-threads.ts";
import { ThreadSync } from "./thread-sync.ts";

type ThreadsDeps = { api: Api; clock: Clock; state: Signal<State>; onMissing(): void };

/** The threads that I follow, and the one that is open. */
export class Threads {
  readonly mine: MyThreads;
  readonly open: ThreadSync;

  constructor(deps: ThreadsDeps) {
    this.mine = new MyThreads(deps);
    this.open = new ThreadSync(deps);
  }

  /** Looks at an event after it was applied. */
  hear(event: ServerEvent): void {
    // Events that were missed while the socket was closed are in the answer.
    if (event.type === "hello") this.mine.load();
    this.mine.onEvent(event);
    this.open.onEvent(event);
  }

  stop(): void {
    this.mine.stop();
    this.open.stop();
  }
}
