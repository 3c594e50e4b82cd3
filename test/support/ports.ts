/** Below the ports that Linux gives to outgoing connections, 32768 to 60999: none takes the port meanwhile. */
const [FIRST, LAST] = [10_000, 32_000];

/** A port that is free now: what listens on it next says if another was quicker. */
export function findFreePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Something listens on it.
    }
  }
}
