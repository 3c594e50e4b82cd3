import { parseBoundedJson } from "../../platform/input/json.ts";
import { Refusal } from "../../platform/refusal.ts";
import {
  MAX_CONTENT_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_WEBHOOK_VALUES,
} from "../../wire/limits.ts";
import { hasVisible } from "../../wire/unicode.ts";
import { formatAlerts, isAlerts } from "./alerts.ts";
import { findGithubEvent, formatGithubEvent, isFromGithub } from "./github.ts";
import { type Json, limitTexts, textOf } from "./json.ts";
import { findEmoji } from "./slack/emoji.ts";
import { formatSlackMessage, isSlackMessage } from "./slack/message.ts";

/** A message as Markdown, with the payload's options. */
type WebhookMessage = {
  text: string;
  username: string | null;
  iconEmoji: string | null;
  /** The key by which the sender names a thread; null outside of threads. */
  threadKey: string | null;
  isPinned: boolean;
};

/**
 * Reads what a program posts: Slack's form, GitHub's events, and what Alertmanager and Grafana
 * send.
 * @returns null for an event that is ignored
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

const PLAIN = { username: null, iconEmoji: null, threadKey: null, isPinned: false };
/** In UTF-16 code units. Markup included, this is more than fits into a message. */
const MAX_TEXTS = 4 * MAX_CONTENT_LENGTH;
/** Maximum length of a thread's key in UTF-16 code units; longer keys are truncated. */
const MAX_THREAD_KEY = 200;

/** Parses JSON, or a form with JSON in the field `payload`, regardless of the declared content type. */
function parsePayload(request: Request, body: Buffer): Json {
  const content = decodeBody(body, request.headers.get("content-type") ?? "");
  const isForm = content.startsWith("payload=") || /^[\w%+.-]+=.*&payload=/.test(content);
  const text = isForm ? (new URLSearchParams(content).get("payload") ?? content) : content;
  let payload: unknown;
  try {
    payload = parseBoundedJson(text, MAX_WEBHOOK_VALUES);
  } catch {
    throw new Refusal("validation", "The payload is not JSON.");
  }
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload)) {
    return payload as Json;
  }
  throw new Refusal("validation", "The payload is not a JSON object.");
}

/** Decodes the body in the declared charset: PowerShell, for example, sends ISO-8859-1. */
function decodeBody(body: Buffer, contentType: string): string {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString("utf8");
  }
}

function cleanUsername(name: string): string | null {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const shortName = [...clean].slice(0, MAX_DISPLAY_NAME_LENGTH).join("");
  return hasVisible(shortName) ? shortName : null;
}
