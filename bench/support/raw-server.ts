/**
 * The anchor for delivery: Bun's WebSocket server and nothing else. It publishes each message that it
 * receives to all, unchanged. Prints its port.
 */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, server) =>
    server.upgrade(request) ? undefined : new Response(null, { status: 426 }),
  websocket: {
    perMessageDeflate: false,
    open: (socket) => void socket.subscribe("all"),
    message: (_, text) => void server.publish("all", text),
  },
});
console.log(server.port);
