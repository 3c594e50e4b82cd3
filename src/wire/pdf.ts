/** Whether a type that a sender has named is that of a PDF. */
export function isPdf(mime: string): boolean {
  return /^application\/pdf *(?:;|$)/i.test(mime);
}
