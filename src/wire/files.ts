const UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** Uses the largest unit (in steps of 1,024) in which the size is at least 1. */
export function splitSize(bytes: number): { size: number; unit: (typeof UNITS)[number] } {
  let step = 0;
  let size = bytes;
  for (; size >= 1_024 && step < UNITS.length - 1; step += 1) size /= 1_024;
  // Two decimals, rounded down, so that a limit is never shown larger than it is.
  return { size: Math.floor(size * 100) / 100, unit: UNITS[step] ?? "bytes" };
}

/** Formats a number of bytes: `8 MB`, `1.43 MB`, `512 bytes`. */
export function formatSize(bytes: number): string {
  const { size, unit } = splitSize(bytes);
  return `${size} ${unit}`;
}

export function isPdf(mime: string): boolean {
  return /^application\/pdf *(?:;|$)/i.test(mime);
}
