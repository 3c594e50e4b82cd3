let lastTurn: Promise<unknown> = Promise.resolve();

/** Waits for a task of its own: doing all that has loaded in one would hold up what is being typed. */
export function takeTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => {
    // Browsers delay timers that follow each other.
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    port1.onmessage = resolve;
    port2.postMessage(null);
    return promise.finally(() => port1.close());
  });
  return lastTurn;
}
