import { Latencies } from "./stats.ts";

/**
 * Sends requests at a constant rate, however late the earlier ones are answered, and times each from the
 * moment at which it was due. So a response that delays others counts for them too (coordinated omission).
 * @param rate requests a second
 */
export async function sendAtRate(
  request: () => Promise<void>,
  rate: number,
  seconds: number,
): Promise<Latencies> {
  const latencies = new Latencies();
  const start = performance.now();
  const sendWhenDue = async (_: unknown, n: number) => {
    const due = start + (n * 1_000) / rate;
    await Bun.sleep(due - performance.now());
    await request();
    latencies.add(performance.now() - due);
  };
  await Promise.all(Array.from({ length: rate * seconds }, sendWhenDue));
  return latencies;
}
