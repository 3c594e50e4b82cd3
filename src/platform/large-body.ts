/** Up to this, Bun sends a body in one packet with the head, with some room for the head. */
const MAX_PACKET_BYTES = 12 * 1024;
const encoder = new TextEncoder();

/**
 * A text as the body of a response from an async handler. With a text of more than 16 KiB Bun 1.4.5
 * sends the head in one system call for each header name and value, about fifty, which costs several
 * times as much as the rest of the request. The head before a stream is sent at once.
 */
export function createTextBody(text: string): string | ReadableStream<Uint8Array> {
  if (text.length < MAX_PACKET_BYTES) return text;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text));
      controller.close();
    },
  });
}
