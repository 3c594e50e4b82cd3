import type { TSchema } from "@sinclair/typebox";
import { checkCredential } from "../authentication/credentials.ts";
import { refuseWithoutScope } from "../authentication/tokens.ts";
import { describeUnavailable, isUnavailable } from "../database/errors.ts";
import { notifyInstances } from "../feed/signals.ts";
import { deleteMessage, editMessage } from "../messages/change.ts";
import { toggleReaction } from "../messages/react.ts";
import { describeCause, getLogger } from "../platform/log.ts";
import { checkStorable, isStorable, parseBoundedJson } from "../platform/input/json.ts";
import { Refusal } from "../platform/refusal.ts";
import { compileShape, type Shape } from "../platform/input/shape.ts";
import { takeToken } from "../platform/concurrency/token-bucket.ts";
import { FRAMES, type Frame, type FrameType } from "../wire/frames.ts";
import { CLOSE_SIGNED_OUT, FRAME_RATE } from "../wire/limits.ts";
import type { SocketDeps } from "./deps.ts";
import { joinRoom } from "./join.ts";
import { roomTopic, type Socket, sendEvent } from "./socket.ts";

const log = getLogger("socket");

/**
 * Handles one frame. Posts join the batch at once, in the order in which they arrive; other frames of a socket
 * are handled one after the other. Errors go to this socket only.
 * @returns null if the frame is handled, otherwise a promise
 */
export function handleFrame(
  deps: SocketDeps,
  socket: Socket,
  data: string | Buffer,
): Promise<void> | null {
  const echo: Echo = {};
  let room: { room_id?: string } = {};
  const refuse = (error: unknown) => {
    sendEvent(socket, { type: "error", ...toError(error), ...echo, ...room });
    if (isSignedOut(error)) socket.close(CLOSE_SIGNED_OUT, "signed out");
  };
  let frame: Frame;
  try {
    frame = parseFrame(data, echo);
    if ("room_id" in frame) room = { room_id: frame.room_id };
    const { token } = socket.data;
    // Bots are limited by the frame queue instead.
    if (token) refuseWithoutScope(token.scopes, FRAMES[frame.type].scope);
    else if (!takeToken(socket.data, FRAME_RATE)) {
      throw new Refusal("rate_limited", "Too many frames. Slow down.", { retryAfter: 1 });
    }
  } catch (error) {
    refuse(error);
    return null;
  }
  const handler: Handler<Frame> = HANDLERS[frame.type];
  const run = async () => {
    try {
      const { credentialId, token } = socket.data;
      if (!handler.skipsCredentialCheck)
        await checkCredential(deps.database.sql, credentialId, token !== null);
      await handler.run(deps, socket, frame);
    } catch (error) {
      refuse(error);
    }
  };
  return handler.isConcurrent ? run() : inOrder(socket, run);
}

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

type Handler<F extends Frame> = {
  run(deps: SocketDeps, socket: Socket, frame: F): Promise<void> | void;
  /** Handled without waiting for the socket's earlier frames. */
  isConcurrent?: true;
  /** Needs no valid credential, or checks it in the statement that writes. */
  skipsCredentialCheck?: true;
};

/** The handler of each type of frame. Thrown errors are sent to the socket as `error`. */
const HANDLERS: { [T in FrameType]: Handler<Extract<Frame, { type: T }>> } = {
  message: {
    isConcurrent: true,
    skipsCredentialCheck: true,
    async run({ poster }, socket, frame) {
      const { id, credentialId, token } = socket.data;
      const author = { id, sessionId: token ? null : credentialId, token };
      const { message } = await poster.post(author, frame.room_id, frame);
      sendEvent(socket, { type: "ack", client_id: frame.client_id, message });
    },
  },
  join: { run: (deps, socket, { room_id, seq }) => joinRoom(deps, socket, room_id, seq) },
  leave: {
    skipsCredentialCheck: true,
    run({ connections }, socket, { room_id }) {
      connections.leaveRoom(socket, room_id);
      sendEvent(socket, { type: "left", room_id });
    },
  },
  edit: {
    async run({ database }, socket, { message_id, content, ref = null }) {
      await editMessage(database, socket.data.id, message_id, content);
      sendEvent(socket, { type: "ack", ref });
    },
  },
  delete: {
    async run({ database }, socket, { message_id, ref = null }) {
      await deleteMessage(database, socket.data.id, message_id);
      sendEvent(socket, { type: "ack", ref });
    },
  },
  react: {
    async run({ database }, socket, { message_id, emoji, ref = null }) {
      await toggleReaction(database, socket.data.id, message_id, emoji);
      sendEvent(socket, { type: "ack", ref });
    },
  },
  typing: {
    async run({ database }, socket, { room_id }) {
      // The membership was checked when the socket opened the room.
      if (!socket.isSubscribed(roomTopic(room_id))) return;
      await notifyInstances(database.db, { kind: "typing", user_id: socket.data.id, room_id });
    },
  },
  ping: { skipsCredentialCheck: true, run: (_, socket) => sendEvent(socket, { type: "pong" }) },
};

function toError(error: unknown): { code: Refusal["code"]; detail: string } {
  if (error instanceof Refusal) return { code: error.code, detail: error.detail };
  if (isUnavailable(error)) {
    return { code: "unavailable", detail: describeUnavailable(error) };
  }
  log.error("Handling a WebSocket frame failed.", { error: describeCause(error) });
  return { code: "internal", detail: "Something went wrong on our side. Try again." };
}

const shapes = new Map<string, Shape<unknown>>(
  Object.entries(FRAMES).map(([type, { schema }]) => [type, compileShape<TSchema>(schema)]),
);

/** The fields of a frame that its response repeats. */
type Echo = { ref?: string; client_id?: string };

/**
 * Parses a frame from a client.
 * @param echo receives the frame's `ref` and `client_id`, also if the rest of the frame is invalid
 * @throws Refusal `bad_request` for anything but a JSON object with an existing type; `validation`
 */
function parseFrame(data: string | Buffer, echo: Echo): Frame {
  if (typeof data !== "string") {
    throw new Refusal("bad_request", "A frame must be text with one JSON object.");
  }
  const value = parseBoundedJson(data);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("bad_request", "A frame must be one JSON object.");
  }
  const frame = value as Record<string, unknown>;
  for (const name of ["ref", "client_id"] as const) {
    const value = frame[name];
    if (typeof value === "string" && isStorable(value)) echo[name] = value.slice(0, 100);
  }
  checkStorable(data, value);
  const shape = typeof frame.type === "string" ? shapes.get(frame.type) : undefined;
  if (!shape) throw new Refusal("bad_request", "The frame's type is unknown.");
  return shape.read(value) as Frame;
}
