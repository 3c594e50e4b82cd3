/** Up to this size Bun sends the body in one packet with the head. */
const MAX_PACKET_BYTES = 12 * 1024;

/** Builds a response from JSON text. */
export function jsonResponse(json: string, status = 200, headers = new Headers()): Response {
  headers.set("content-type", "application/json");
  return new Response(json.length < MAX_PACKET_BYTES ? json : toStream(json), { status, headers });
}

/**
 * Bun 1.4.5 sends the head before a text of more than 16 KiB in one system call for each header name and
 * value, about fifty, but the head before a stream at once: 60 µs of CPU instead of 300 with 100 KB. A
 * direct stream has no queue.
 */
function toStream(text: string): ReadableStream<Uint8Array> {
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: "direct",
    pull(controller) {
      controller.write(text);
      controller.close();
    },
  };
  // The types of the DOM have no direct streams.
  return new ReadableStream(source as object as UnderlyingSource<Uint8Array>);
}
