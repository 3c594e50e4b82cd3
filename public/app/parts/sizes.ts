import { splitSize } from "../../../src/wire/sizes.ts";
import { numbers } from "../words/formats.ts";
import { locale, say } from "../words/say.ts";

/** A number of bytes as the reader's language says it: `8 MB`, `1,43 MB`. */
export function sizeOf(bytes: number): string {
  const { size, unit } = splitSize(bytes);
  const number = numbers(locale(), { useGrouping: false }).format(size);
  return unit === "bytes" ? say("size.bytes", { count: size }) : `${number} ${unit}`;
}
