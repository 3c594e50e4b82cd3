/** What Bun gathers into one packet with an answer's head, less some room for the head. */
const GATHERED_BYTES = 12 * 1024;
const encoder = new TextEncoder();

/**
 * A text as the body of an answer that was made asynchronously. With a text of more than 16 KiB Bun
 * 1.4.5 sends the head in one system call for each name and each value, about fifty, which costs
 * several times what the rest of the request does; the head before a stream goes out at once.
 */
export function largeBody(text: string): string | ReadableStream<Uint8Array> {
  if (text.length < GATHERED_BYTES) return text;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text));
      controller.close();
    },
  });
}
