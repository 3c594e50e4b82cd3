import { splitSize } from "../../../src/wire/files.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** Formats a number of bytes in the reader's language: `8 MB`, `1,43 MB`. */
export function sizeOf(bytes: number): string {
  const { size, unit } = splitSize(bytes);
  const number = getNumberFormat(currentLocale(), {
    useGrouping: false,
    maximumSignificantDigits: 3,
  }).format(size);
  return unit === "bytes" ? t("size.bytes", { count: size }) : `${number} ${unit}`;
}
