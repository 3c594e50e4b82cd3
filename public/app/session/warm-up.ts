import { parseMarkdown } from "../../../src/wire/markdown/parse.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import { dayName, fullTimeOf, timeOf } from "../parts/times.ts";

/**
 * Uses for the first time what the first messages need, while the browser waits for their answer: it loads
 * its data of dates, and compiles what parses text, with the first use. Never before what is there to render.
 */
export async function warmUp(): Promise<void> {
  const now = new Date().toISOString();
  const steps = [
    () => timeOf(now),
    () => [fullTimeOf(now), dayName(now)],
    () => parseMarkdown(SAMPLE),
    () => isEmojiOnly("text"),
  ];
  for (const step of steps) {
    if (!(await isIdle())) return;
    step();
  }
}

const SAMPLE = "One **line** with a [link](https://example.org), `code` and @name\n\n```ts\n1\n```";

/** Waits until the browser has nothing else to do. @returns false where it cannot tell */
function isIdle(): Promise<boolean> {
  const { requestIdleCallback: request } = globalThis as Partial<typeof globalThis>;
  return new Promise((resolve) => (request ? request(() => resolve(true)) : resolve(false)));
}
