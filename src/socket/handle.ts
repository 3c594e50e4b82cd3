import { checkCredential } from "../accounts/credentials.ts";
import { refuseWithoutScope } from "../accounts/tokens.ts";
import { describeUnavailable, isUnavailable } from "../database/errors.ts";
import { signal } from "../feed/signals.ts";
import { deleteMessage, editMessage } from "../messages/change.ts";
import { toggleReaction } from "../messages/react.ts";
import { describeCause } from "../platform/cause.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { FRAME_SCOPES } from "../wire/scopes.ts";
import type { Frame } from "../wire/frames.ts";
import { CLOSE_SIGNED_OUT } from "../wire/limits.ts";
import type { SocketDeps } from "./deps.ts";
import { type Echo, parseFrame } from "./frames.ts";
import { roomTopic, type Socket, send } from "./hub.ts";
import { joinRoom } from "./join.ts";
import { take } from "./rate.ts";

const log = getLogger("socket");

/**
 * Handles one frame. Posts go to the batch at once, in the order in which they came; everything
 * else of a socket is done one after the other. What goes wrong is answered to this socket alone.
 * @returns null where it was answered at once, else a promise that resolves when it has been
 */
export function handleFrame(
  deps: SocketDeps,
  socket: Socket,
  data: string | Buffer,
): Promise<void> | null {
  const echo: Echo = {};
  let room: { room_id?: string } = {};
  const refuse = (error: unknown) => {
    send(socket, { type: "error", ...describe(error), ...echo, ...room });
    if (isSignedOut(error)) socket.close(CLOSE_SIGNED_OUT, "signed out");
  };
  let frame: Frame;
  try {
    frame = parseFrame(data, echo);
    if ("room_id" in frame) room = { room_id: frame.room_id };
    const { bot } = socket.data;
    // A bot may send as fast as it is answered, and no more than its token allows.
    if (bot) refuseWithoutScope(bot.scopes, FRAME_SCOPES[frame.type]);
    else if (!take(socket.data)) {
      throw new Refusal("rate_limited", "Too many frames. Slow down.", { retryAfter: 1 });
    }
  } catch (error) {
    refuse(error);
    return null;
  }
  const run = async () => {
    try {
      await answer(deps, socket, frame);
    } catch (error) {
      refuse(error);
    }
  };
  return frame.type === "message" ? run() : inOrder(socket, run);
}

/** The socket's session or token has ended, and no signal closed the socket. */
function isSignedOut(error: unknown): boolean {
  return (
    error instanceof Refusal && (error.code === "unauthenticated" || error.code === "invalid_token")
  );
}

function inOrder(socket: Socket, run: () => Promise<void>): Promise<void> {
  const tail = (socket.data.tail ?? Promise.resolve()).then(run);
  socket.data.tail = tail;
  void tail.finally(() => {
    if (socket.data.tail === tail) socket.data.tail = null;
  });
  return tail;
}

async function answer(deps: SocketDeps, socket: Socket, frame: Frame): Promise<void> {
  const { database, hub, poster } = deps;
  const { userId, credentialId, bot } = socket.data;
  // These two do nothing that a right is needed for.
  if (frame.type !== "ping" && frame.type !== "leave") {
    await checkCredential(database.sql, credentialId, bot !== null);
  }
  switch (frame.type) {
    case "message": {
      const { message } = await poster.post(userId, frame.room_id, frame);
      send(socket, { type: "ack", client_id: frame.client_id, message });
      return;
    }
    case "join":
      return joinRoom(deps, socket, frame.room_id, frame.seq);
    case "leave":
      hub.leave(socket, frame.room_id);
      send(socket, { type: "left", room_id: frame.room_id });
      return;
    case "edit":
      await editMessage(database, userId, frame.message_id, frame.content);
      send(socket, { type: "ack", ref: frame.ref ?? null });
      return;
    case "delete":
      await deleteMessage(database, userId, frame.message_id);
      send(socket, { type: "ack", ref: frame.ref ?? null });
      return;
    case "react":
      await toggleReaction(database, userId, frame.message_id, frame.emoji);
      send(socket, { type: "ack", ref: frame.ref ?? null });
      return;
    case "typing":
      // Only from where it can be seen: the right was checked when the room was opened.
      if (!socket.isSubscribed(roomTopic(frame.room_id))) return;
      return signal(database.db, { kind: "typing", user_id: userId, room_id: frame.room_id });
    case "ping":
      send(socket, { type: "pong" });
  }
}

function describe(error: unknown): { code: Refusal["code"]; detail: string } {
  if (error instanceof Refusal) return { code: error.code, detail: error.detail };
  if (isUnavailable(error)) {
    return { code: "unavailable", detail: describeUnavailable(error) };
  }
  log.error("A frame failed.", { error: describeCause(error) });
  return { code: "internal", detail: "Something went wrong on our side. Try again." };
}
