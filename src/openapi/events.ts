import type { TSchema } from "@sinclair/typebox";
import {
  Answer,
  NewerEvent,
  RoomEvent,
  RoomSignal,
  UnreadChangedEvent,
  UnreadEvent,
  UserEvent,
} from "../wire/events.ts";
import { FRAMES } from "../wire/frames.ts";
import { WebhookPayload } from "../wire/webhooks.ts";
import type { Components, JsonSchema } from "./schemas.ts";

/** The WebSocket as far as OpenAPI can describe it: the handshake, and the messages in each direction. */
export function describeSocket(components: Components): JsonSchema {
  const describeUnion = (title: string, schemas: TSchema[]) => ({
    title,
    anyOf: schemas.map((schema) => components.convert(schema)),
  });
  const events = [
    RoomEvent,
    NewerEvent,
    RoomSignal,
    UserEvent,
    UnreadEvent,
    UnreadChangedEvent,
    Answer,
  ];
  const frames = Object.values(FRAMES).map(({ schema }) => schema);
  const schema = {
    anyOf: [describeUnion("From the service", events), describeUnion("To the service", frames)],
  };
  const problem = {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  };
  return {
    get: {
      operationId: "ws_chat",
      tags: ["Messages"],
      summary: "Receive events and send frames over a WebSocket",
      description:
        "Each frame is one JSON object with a `type`. The socket closes with 1009 after a frame over 64 KiB, 4401 when the session or token ends, and 1012 on a restart. A person can send 20 frames per second in bursts of 60; further frames get `rate_limited`. Up to 256 frames or 256 KiB of a socket are handled concurrently; further frames wait, and a bot's socket is not read while many wait. Above 128 waiting frames of a person, or 4 MiB of anyone, the socket gets `rate_limited` and closes with 1013, as does a socket above the 200 that an account can have on one instance.",
      parameters: [],
      responses: {
        "101": {
          description: "The messages in both directions",
          content: { "application/json": { schema } },
        },
        "200": { description: "Never sent: requests without an upgrade are refused" },
        "401": { description: "No valid session or token", content: problem },
        "403": {
          description: "The request comes from another site's page, or is for another user",
          content: problem,
        },
      },
    },
  };
}

export function describeWebhooks(components: Components): Record<string, JsonSchema> {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  });
  return {
    delivery: {
      post: {
        operationId: "webhook_delivery",
        tags: ["Webhooks and push"],
        summary: "The request that an outgoing webhook sends (Standard Webhooks)",
        description: "Respond with 2xx within 15 seconds. 410 disables the webhook.",
        security: [],
        parameters: [
          header("webhook-id", "The same for each attempt"),
          header("webhook-timestamp", "Unix time in seconds"),
          header("webhook-signature", "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`"),
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: components.convert(WebhookPayload) } },
        },
        responses: {
          "200": { description: "Delivered" },
          "410": { description: "Disables the webhook" },
        },
      },
    },
  };
}
