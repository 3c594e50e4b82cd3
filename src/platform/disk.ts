/** How libvips words the system's ENOSPC and EDQUOT. */
const FULL_WORDS = /No space left on device|Disk quota exceeded/i;

/** True if a file could not be written because the disk or the quota is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || FULL_WORDS.test(message);
}
