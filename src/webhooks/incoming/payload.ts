import { parseBounded } from "../../platform/json.ts";
import { Refusal } from "../../platform/refusal.ts";
import {
  MAX_CONTENT_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_WEBHOOK_VALUES,
} from "../../wire/limits.ts";
import { hasVisible } from "../../wire/visible.ts";
import { formatAlerts, isAlerts } from "./alerts.ts";
import { findGithubEvent, formatGithubEvent, isFromGithub } from "./github.ts";
import { type Json, limitTexts, textOf } from "./json.ts";
import { findEmoji } from "./slack/emoji.ts";
import { formatSlackMessage, isSlackMessage } from "./slack/message.ts";

/** A message as Markdown, with the name, the emoji, the thread and the pin that the payload asks for. */
type WebhookMessage = {
  text: string;
  username: string | null;
  iconEmoji: string | null;
  /** The sender's name for the thread; null for a message outside threads. */
  threadKey: string | null;
  isPinned: boolean;
};

/**
 * Reads what a program posts: Slack's form, GitHub's events, and what Alertmanager and Grafana send.
 * @returns null for an event that is not worth a message
 * @throws Refusal `validation`, `empty_message`
 */
export function readPayload(request: Request, body: Buffer): WebhookMessage | null {
  const payload = parsePayload(request, body);
  if (isAlerts(payload)) return { text: formatAlerts(payload), ...PLAIN };
  const { headers } = request;
  const event = isSlackMessage(payload) ? null : findGithubEvent(headers, payload);
  if (event) {
    const text = formatGithubEvent(event, payload);
    const username = isFromGithub(headers, payload) ? "GitHub" : null;
    return text === null ? null : { text, ...PLAIN, username };
  }
  const isCut = limitTexts(payload, MAX_TEXTS);
  const text = formatSlackMessage(payload);
  if (text === "") throw new Refusal("empty_message", "The payload has no text.");
  return {
    text: isCut ? `${text}\n…` : text,
    username: cleanUsername(textOf(payload.username)),
    iconEmoji: findEmoji(textOf(payload.icon_emoji)),
    threadKey: textOf(payload.thread_key).trim().slice(0, MAX_THREAD_KEY) || null,
    isPinned: payload.pin === true,
  };
}

/** The options of a payload that sets none. */
const PLAIN = { username: null, iconEmoji: null, threadKey: null, isPinned: false };
/** What of a payload's texts is read, in UTF-16 units: with their markup more than fits into a message. */
const MAX_TEXTS = 4 * MAX_CONTENT_LENGTH;
/** The length of a thread's name, in UTF-16 units; longer names are cut. */
const MAX_THREAD_KEY = 200;

/** JSON, or a form with JSON in its field `payload`. */
function parsePayload(request: Request, body: Buffer): Json {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const sent = body.toString("utf8");
  const isForm = type === "application/x-www-form-urlencoded";
  const text = isForm ? (new URLSearchParams(sent).get("payload") ?? sent) : sent;
  let payload: unknown;
  try {
    payload = parseBounded(text, MAX_WEBHOOK_VALUES);
  } catch {
    throw new Refusal("validation", "The payload is not JSON.");
  }
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload)) {
    return payload as Json;
  }
  throw new Refusal("validation", "The payload is not a JSON object.");
}

function cleanUsername(name: string): string | null {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const short = [...clean].slice(0, MAX_DISPLAY_NAME_LENGTH).join("");
  return hasVisible(short) ? short : null;
}
