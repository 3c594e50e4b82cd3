import { Type as t } from "@sinclair/typebox";
import type { Code } from "../codes.ts";
import { Id, Message, Nullable, Timestamp } from "../models.ts";
import { event, type EventSpec, seq } from "./spec.ts";

/** The answers to a socket's frames. */
export const SOCKET_EVENTS = {
  hello: {
    audience: "socket",
    schema: event("hello", { user_id: Id, instance: Id, server_time: Timestamp }),
  },
  joined: { audience: "socket", schema: event("joined", { room_id: Id, seq }) },
  resync: { audience: "socket", schema: event("resync", { room_id: Id }) },
  left: { audience: "socket", schema: event("left", { room_id: Id }) },
  ack: {
    audience: "socket",
    schema: t.Union([
      event("ack", { client_id: t.String(), message: Message }),
      event("ack", { ref: Nullable(t.String()) }),
    ]),
  },
  pong: { audience: "socket", schema: event("pong", {}) },
  error: {
    audience: "socket",
    schema: event("error", {
      code: t.Unsafe<Code>(t.String({ description: "The codes that REST uses" })),
      detail: t.String(),
      ref: t.Optional(t.String()),
      client_id: t.Optional(t.String()),
      room_id: t.Optional({
        ...Id,
        description: "The room that a refused `join`, `leave`, `message` or `typing` names",
      }),
    }),
  },
} as const satisfies Record<string, EventSpec>;
