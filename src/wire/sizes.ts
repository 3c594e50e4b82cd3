const UNITS = ["bytes", "KB", "MB", "GB"];

/**
 * A number of bytes as people say it, in steps of 1,024: `8 MB`, `1.43 MB`, `512 bytes`.
 * @param bytes a whole number
 */
export function sizeInWords(bytes: number): string {
  let unit = 0;
  let size = bytes;
  for (; size >= 1_024 && unit < UNITS.length - 1; unit += 1) size /= 1_024;
  // Two decimals, rounded down: a cap is never said to be larger than it is.
  return `${Math.floor(size * 100) / 100} ${UNITS[unit]}`;
}
