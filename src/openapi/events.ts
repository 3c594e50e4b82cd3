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
import { WebhookPayload } from "../wire/outgoing-webhooks.ts";
import type { Components, JsonSchema } from "./schemas.ts";

/** The WebSocket, as far as OpenAPI has words for it: how it begins, and what goes over it then. */
export function socketOf(components: Components): JsonSchema {
  const all = (title: string, schemas: TSchema[]) => ({
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
  const schema = { anyOf: [all("From the service", events), all("To the service", frames)] };
  const problem = {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  };
  return {
    get: {
      operationId: "ws_chat",
      tags: ["Messages"],
      summary: "What happens, as it happens, over a WebSocket",
      description:
        "One JSON object a frame, told apart by `type`. A frame over 64 KiB closes with 1009, an ended session or token with 4401, a restart with 1012. A person may send 20 frames a second, 60 at once; past that they are answered `rate_limited`. Of each socket 256 frames or 256 KiB are handled at once and the next ones wait. A bot's socket is not read while many wait. Past 128 waiting frames of a person, or 4 MiB of anyone, the socket is told `rate_limited` and closed with 1013; so is a socket past the 200 that an account may have on one instance.",
      parameters: [],
      responses: {
        "101": { description: "What goes over it", content: { "application/json": { schema } } },
        "200": { description: "Never: what is no handshake is refused" },
        "401": { description: "Neither a session nor a token", content: problem },
        "403": { description: "From a page of another site", content: problem },
      },
    },
  };
}

/** What outgoing webhooks send. */
export function webhooksOf(components: Components): Record<string, JsonSchema> {
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
        summary: "What an outgoing webhook sends (Standard Webhooks)",
        description: "2xx within 15 seconds is done; 410 switches the webhook off.",
        security: [],
        parameters: [
          header("webhook-id", "The same in each try"),
          header("webhook-timestamp", "Seconds since 1970"),
          header("webhook-signature", "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`"),
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: components.convert(WebhookPayload) } },
        },
        responses: {
          "200": { description: "Taken" },
          "410": { description: "Send no more" },
        },
      },
    },
  };
}
