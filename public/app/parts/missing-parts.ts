import { signal } from "@preact/signals";

type Load = () => Promise<unknown>;
type Use = (code: unknown) => void;

/** What has not loaded, until that is retried. */
const missing = new Map<Load, Use>();
let retrying: Promise<void> | null = null;

/** Whether something did not load that the page can do without. */
export const hasMissingParts = signal(false);

/**
 * Loads what the page can do without. After a failure the reader learns that something is missing, and
 * nothing requests it again before `retryMissingParts`.
 * @param load always the same function for one part
 * @param use called once it is loaded
 */
export async function loadQuietly<Code>(
  load: () => Promise<Code>,
  use: (code: Code) => void = () => {},
): Promise<void> {
  if (missing.has(load)) return;
  let code: Code;
  try {
    code = await load();
  } catch {
    missing.set(load, use as Use);
    hasMissingParts.value = true;
    return;
  }
  use(code);
}

/** Loads again what is missing. */
export function retryMissingParts(): Promise<void> {
  retrying ??= retry().finally(() => {
    retrying = null;
  });
  return retrying;
}

async function retry(): Promise<void> {
  const parts = [...missing];
  missing.clear();
  await Promise.all(parts.map(([load, use]) => loadQuietly(load, use)));
  hasMissingParts.value = missing.size > 0;
}
