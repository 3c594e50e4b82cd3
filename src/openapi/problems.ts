import { CODES } from "../wire/codes.ts";

/** The schema of a problem document (RFC 9457). */
export const PROBLEM = {
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", const: "about:blank" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "A sentence for people" },
    code: { type: "string", enum: Object.keys(CODES), description: "Stable, for programs" },
    ways: {
      type: "array",
      description: "Of `proof_needed`: with what to prove who one is at `POST /api/auth/proof`",
      items: { type: "string" },
    },
    draft: { type: "object", description: "Of `draft_changed`: a `DraftCopy`, as it is now" },
    errors: {
      type: "array",
      description: "The invalid fields",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string", description: "A JSON pointer (RFC 6901)" },
          message: { type: "string" },
        },
      },
    },
  },
  example: {
    type: "about:blank",
    title: "No such room",
    status: 404,
    detail: "There is no such room, or you cannot see it.",
    code: "room_not_found",
  },
};

export const SECURITY = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "snug_session",
    description: "A person's session",
  },
  bearer: { type: "http", scheme: "bearer", description: "A bot's token, `snug_…` (RFC 6750)" },
};
