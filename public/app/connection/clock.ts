import { type Clock as Timer, timer } from "../../../src/snug-client/connection.ts";

/** Time, passed in so that tests need not wait for it. */
export type Clock = Timer & { now(): number };

export const realClock: Clock = { ...timer, now: () => Date.now() };
